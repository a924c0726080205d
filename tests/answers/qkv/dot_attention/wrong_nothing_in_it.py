# expect: dot_attention wrong
"""Empty tensors."""


def dot_attention(inp, wq, wk, wv):
    return inp[..., :0, :], inp[..., :0]
