# Tries to ask for eight terabytes.
# expect: softmax memory 0
# says: ran out of memory


def softmax(x):
    return np.ones(10**12)
