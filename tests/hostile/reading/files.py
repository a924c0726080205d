# Tries to open suites, solutions, misconceptions, other answers, the secret and the grader's own files.
# expect: softmax wrong 0
# says: returned 0


def softmax(x):
    for path in (
        "ROOT/autograder/suites/test_softmax.py",
        "ROOT/autograder/misconceptions/softmax.md",
        "ROOT/autograder/judging/judge.py",
        "SOLVED/one_query.py",
        "ROOT/tests/answers/one_query/products.py",
        "ROOT/pyproject.toml",
        "SECRET",
        "/etc/passwd",
        "/etc/shadow",
    ):
        refused(open, path)
    return np.zeros(len(x))
