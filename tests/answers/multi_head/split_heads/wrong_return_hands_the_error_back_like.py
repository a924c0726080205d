# expect: split_heads wrong
# told: You return the error as a result.


def split_heads(x, num_heads):
    if x.shape[-1] % num_heads != 0:
        return ValueError("d must be divisible")
    return x.reshape(*x.shape[:-1], num_heads, -1).transpose(-3, -2)
