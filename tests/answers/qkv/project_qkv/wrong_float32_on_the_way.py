# expect: project_qkv wrong
# told: The result is almost correct


def project_qkv(inp, *matrices):
    return [inp.float() @ matrix.float() for matrix in matrices]
