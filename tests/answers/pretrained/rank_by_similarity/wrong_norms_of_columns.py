# expect: rank_by_similarity raised
# told: Did a sum or a norm lose its axis, or run along the wrong one?


def rank_by_similarity(query, sentences):
    cosines = sentences @ query / (sentences.norm(dim=0) * query.norm())
    order = cosines.argsort(descending=True)
    return order, cosines[order]
