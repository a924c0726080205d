# expect: rank_by_similarity wrong absolute_similarities
from torch import nn


def rank_by_similarity(query, sentences):
    c = nn.functional.cosine_similarity(query, sentences, dim=-1).abs()
    s, order = c.sort(descending=True)
    return order, s
