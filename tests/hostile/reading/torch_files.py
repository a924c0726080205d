# Tries to read a suite with torch's own readers.
# chapter: qkv
# expect: project_qkv wrong 0
# says: returned


SUITE = "ROOT/autograder/suites/test_project_qkv.py"


def project_qkv(x, Wq, Wk, Wv):
    refused(torch.load, SUITE)
    refused(torch.from_file, SUITE, False, 100)
    refused(torch.ops.load_library, SUITE)
    return x, x, x
