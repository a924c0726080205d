# expect: project_qkv wrong
# told: What comes second is v, which should come third; what comes third is k, which should come second.
"""Values come before keys."""


def project_qkv(inp, wq, wk, wv):
    return inp @ wq, inp @ wv, inp @ wk
