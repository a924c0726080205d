# expect: project_qkv wrong
# told: The numbers in `q` are correct in every call, but those in `k` and `v` are not.
"""Values come before keys."""


def project_qkv(inp, wq, wk, wv):
    return inp @ wq, inp @ wv, inp @ wk
