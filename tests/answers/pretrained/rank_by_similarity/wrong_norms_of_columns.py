# expect: rank_by_similarity raised
# told: Did a sum or a mask lose its axis, or is an axis in the wrong place?


def rank_by_similarity(query, sentences):
    cosines = sentences @ query / (sentences.norm(dim=0) * query.norm())
    order = cosines.argsort(descending=True)
    return order, cosines[order]
