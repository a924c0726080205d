# expect: MultiHeadAttention wrong
# told: The numbers in `weights` are correct in every call, but those in `output` are not.
# like: two_helpers.py
# edit: torch.where(mask, scores, -1e30) -> torch.where(mask, scores, -torch.inf)
# edit: weights = torch.where(mask, weights, 0.0) -> mixed, weights = weights @ v, weights.nan_to_num(0.0)
# edit: self.merge(weights @ v) -> self.merge(weights @ v if mask is None else mixed)
