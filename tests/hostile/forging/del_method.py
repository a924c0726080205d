# Tries to write to the wire when its result is deleted.
# expect: softmax killed 0
# says: channel that belongs to the grader


class Last:
    def __del__(self):
        os.write(3, b"passed" * 100)


def softmax(x):
    Last()
    return np.zeros(len(x))
