# expect: rank_by_similarity wrong
"""A small number is added to the lengths."""


def rank_by_similarity(query, sentences):
    c = sentences @ query / (sentences.norm(dim=-1) * query.norm() + 1e-2)
    order = c.argsort(descending=True)
    return order, c[order]
