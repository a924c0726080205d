# expect: MultiHeadAttention wrong
# like: two_helpers.py
# edit: scores = torch.where(mask, scores, -1e30) -> mask[~mask.any(-1)] = True
# + scores = torch.where(mask, scores, -1e30)
"""In-place change of the mask."""
