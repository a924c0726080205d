# expect: split_heads wrong
# plain: returned a ValueError object: ValueError('d must be divisible'), expected it to raise ValueError.


def split_heads(x, num_heads):
    if x.shape[-1] % num_heads != 0:
        return ValueError("d must be divisible")
    return x.reshape(*x.shape[:-1], num_heads, -1).transpose(-3, -2)
