# expect: normalize_by_sum wrong divided_by_the_running_sum


def normalize_by_sum(scores):
    total, shares = 0.0, []
    for score in scores:
        total += score
        shares.append(score / total)
    return shares
