# Tries to return numbers that change when they are converted.
# expect: softmax wrong 0
# says: returned 0


class Liar(float):
    def __eq__(self, other):
        return True

    def __float__(self):
        return 0.5

    __repr__ = __str__ = lambda self: "0.5"
    as_integer_ratio = hex = __round__ = lambda self: (1, 2)


def softmax(x):
    return [Liar(0.0) for _ in x]
