# expect: rank_by_similarity raised
"""One sentence loses its axis."""


def rank_by_similarity(query, sentences):
    c = (sentences @ query[:, None]).squeeze() / (sentences.norm(dim=-1) * query.norm()).squeeze()
    order = c.argsort(descending=True)
    return order, c[order]
