# expect: MultiHeadAttention wrong
# told: The same call returns different results.
# like: two_helpers.py
# edit: torch.softmax(scores, dim=- -> nn.functional.dropout(torch.softmax(scores, dim=-1), 0.
"""Dropout that acts in eval, too."""

from torch.nn import functional
