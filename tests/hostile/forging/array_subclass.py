# Tries to return an array that agrees with everything.
# expect: softmax wrong 0
# says: returned 0


class Liar(np.ndarray):
    def __eq__(self, other):
        return True

    def __array__(self, *args, **kwargs):
        return np.ones(3)

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return True

    def __array_function__(self, function, types, args, kwargs):
        return True

    def tobytes(self, *args):
        return b"lies"

    def astype(self, *args, **kwargs):
        return self

    shape = dtype = size = nbytes = property(lambda self: 3)


def softmax(x):
    return np.zeros(len(x)).view(Liar)
