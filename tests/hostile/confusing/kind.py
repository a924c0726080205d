# Tries to be a class under the name of the exercise, whose instances lie.
# expect: softmax wrong 0
# says: object


class softmax:
    def __init__(self, x):
        pass

    __eq__ = __bool__ = lambda self, *a: True
