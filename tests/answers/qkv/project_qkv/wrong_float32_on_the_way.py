# expect: project_qkv wrong
# told: It is nearly right


def project_qkv(inp, *matrices):
    return [inp.float() @ matrix.float() for matrix in matrices]
