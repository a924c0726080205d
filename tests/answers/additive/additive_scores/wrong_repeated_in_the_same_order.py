# expect: additive_scores wrong both_repeated_in_the_same_order
import torch


def additive_scores(queries, keys, ws):
    n_q, n_k = queries.shape[-2], keys.shape[-2]
    left = queries.repeat_interleave(n_k, dim=-2)
    right = keys.repeat_interleave(n_q, dim=-2)
    return (torch.tanh(left + right) @ ws).unflatten(-1, (n_q, n_k))
