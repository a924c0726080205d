# expect: project_qkv wrong
# told: It is right to five digits and not to all


def project_qkv(inp, *matrices):
    return [inp.float() @ matrix.float() for matrix in matrices]
