# expect: split_heads raised
# told: A size must be an integer.


def split_heads(x, num_heads):
    d = x.shape[-1] / num_heads
    return x.reshape(*x.shape[:-1], num_heads, d).transpose(-3, -2)
