# expect: SelfAttentionBlock wrong one_maximum_for_everything
# like: unflattened.py
# edit: w = torch.softmax(s, dim=-1) -> w = torch.exp(s - s.max())
# + w = w / w.sum(dim=-1, keepdim=True)
"""The largest of all scores is subtracted."""
