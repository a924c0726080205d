# expect: additive_scores wrong cut_off_at_one


def additive_scores(queries, keys, ws):
    sums = queries[..., :, None, :] + keys[..., None, :, :]
    return sums.clamp(-1, 1) @ ws
