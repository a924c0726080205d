# expect: merge_heads wrong last_two_swapped


def merge_heads(x):
    *batch, heads, n, width = x.shape
    return x.permute(*range(len(batch)), -3, -1, -2).reshape(*batch, n, heads * width)
