# Tries to replace the header of every message.
# expect: softmax killed 0
# says: channel that belongs to the grader


class Header:
    size = 8

    def pack(self, *sizes):
        return bytes(8)


def softmax(x):
    sys.modules["worker.wire"].HEADER = Header()
    return np.zeros(len(x))
