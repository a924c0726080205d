# expect: project_qkv wrong
# told: You return `v` where `k` is expected.
"""Values come before keys."""


def project_qkv(inp, wq, wk, wv):
    return inp @ wq, inp @ wv, inp @ wk
