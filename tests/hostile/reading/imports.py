# Tries to import the kit, its suites and its solutions, from wherever they may be.
# expect: softmax wrong 0
# says: returned 0


import importlib


def softmax(x):
    sys.path[:0] = [
        "ROOT",
        "ROOT/autograder",
        "ROOT/autograder/suites",
        "SOLVED",
        "ROOT/autograder/misconceptions",
    ]
    importlib.invalidate_caches()
    for name in (
        "autograder.judging.judge",
        "autograder.suites.test_softmax",
        "test_softmax",
        "solutions.one_query",
        "one_query",
    ):
        refused(importlib.import_module, name)
    return np.zeros(len(x))
