# Tries to return an object that turns into whatever array is asked for.
# expect: softmax wrong 0
# says: object


class Chameleon:
    def __array__(self, *args, **kwargs):
        return np.ones(3)

    def __array_function__(self, function, types, args, kwargs):
        return True

    def __eq__(self, other):
        return True

    def __len__(self):
        return 3

    def __getitem__(self, index):
        return 1.0

    __float__ = __int__ = __index__ = lambda self: 1


def softmax(x):
    return Chameleon()
