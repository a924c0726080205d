# expect: sample wrong
# told: The result has the expected numbers, and an axis of length 1 too few
# like: multinomial.py
# edit: .reshape(logits.shape[:-1]) -> .reshape(*logits.shape[:-1], 1).squeeze()
"""Squeezed."""
