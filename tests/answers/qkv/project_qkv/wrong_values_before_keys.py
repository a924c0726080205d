# expect: project_qkv wrong
# told: Where k belongs stands v.
"""Values come before keys."""


def project_qkv(inp, wq, wk, wv):
    return inp @ wq, inp @ wv, inp @ wk
