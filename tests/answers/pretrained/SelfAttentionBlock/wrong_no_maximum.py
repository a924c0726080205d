# expect: SelfAttentionBlock wrong no_maximum_subtracted
# like: unflattened.py
# edit: w = torch.softmax(s, dim=-1) -> w = torch.exp(s)
# + w = w / w.sum(dim=-1, keepdim=True)
"""Exponentials of the scores as they are."""
