# expect: rank_by_similarity wrong sorted_as_torch_does
"""`torch.sort` as it comes."""

import torch


def rank_by_similarity(query, sentences):
    q = query / query.norm()
    s = sentences / sentences.norm(dim=1, keepdim=True)
    return torch.sort(s @ q)
