# Tries to return a description of a kind that is none.
# expect: softmax killed 0
# says: channel that belongs to the grader


def softmax(x):
    return sys.modules["worker.wire"].Described("verdict", {"points": 8})
