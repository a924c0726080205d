# expect: SelfAttentionBlock raised mask_without_a_head_axis
# like: ../wrong_masks.py
# edit: is_word.unsqueeze(-2) -> torch.unsqueeze(is_word, dim=-2)
# edit: scores = (q @ k.mT / -> scores = torch.where(mask, torch.matmul(q, k.mT) /
# edit: ).masked_fill(mask.logical_not(), -math.inf) -> , -math.inf)
"""The same as in `wrong_masks.py`, with functions in place of methods."""
