# Tries to read the source of its callers with inspect.
# expect: softmax wrong 0
# says: returned 0


import inspect


def softmax(x):
    for caller in inspect.stack():
        if any(word in line for line in caller.code_context or () for word in ("equals", "expected", "draw(")):
            breach(caller.code_context)
    return np.zeros(len(x))
