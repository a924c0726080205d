# Tries to make the grader's own arithmetic overflow or warn.
# expect: softmax wrong 0
# says: returned


KINDS = iter(
    [np.float16("inf"), np.float64(1e308), np.int64(-(2**63)), np.uint64(2**64 - 1), 2**1000, 1e308 + 1e308j] * 99
)


def softmax(x):
    return np.array([next(KINDS)] * len(x))
