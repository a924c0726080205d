# expect: rank_by_similarity wrong
# told: The result `similarities` has the expected numbers in other positions.
"""Opposite sentences count like similar ones."""

import torch


def rank_by_similarity(query, sentences):
    cos = [torch.dot(query, s).item() / (query.norm() * s.norm()).item() for s in sentences]
    order = sorted(range(len(cos)), key=lambda i: -abs(cos[i]))
    return torch.tensor(order), torch.tensor([cos[i] for i in order], dtype=query.dtype)
