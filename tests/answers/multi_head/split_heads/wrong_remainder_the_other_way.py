# expect: split_heads raised
# plain: It should return a result.


def split_heads(x, num_heads):
    *batch, n, d = x.shape
    if num_heads % d:
        raise ValueError("heads do not fit")
    return x.reshape(*batch, n, num_heads, d // num_heads).transpose(-3, -2)
