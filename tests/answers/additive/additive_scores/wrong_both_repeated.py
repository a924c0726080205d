# expect: additive_scores wrong both_repeated_as_a_whole
# like: wrong_repeated_in_the_same_order.py
# edit: queries.repeat_interleave(n_k, dim=-2) -> torch.cat([queries] * n_k, dim=-2)
# edit: keys.repeat_interleave(n_q, dim=-2) -> torch.cat([keys] * n_q, dim=-2)
