# Tries to find paths and secrets among the globals and arguments of the worker.
# expect: softmax wrong 0
# says: returned 0


def softmax(x):
    found = repr([vars(sys.modules["__main__"]), sys.argv, sys.orig_argv, sys.flags])
    if any(word in found for word in ("SECRET", "suites", "solutions", "HOSTILE_CANARY")):
        breach(found)
    return np.zeros(len(x))
