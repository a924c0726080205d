# Tries to replace os.write and what files write with.
# expect: softmax wrong 0
# says: returned 0


import io


def softmax(x):
    os.write = os.writev = lambda *a: 8
    io.open = io.BufferedWriter = os.fdopen = None
    return np.zeros(len(x))
