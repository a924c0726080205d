# Tries to return a gigabyte.
# expect: softmax wrong 0
# says: (134217728,)


def softmax(x):
    return np.zeros(2**27)
