# Tries to return lists that are longer than they are.
# expect: softmax wrong 0
# says: returned


class Long(list):
    def __len__(self):
        return 10**18

    def __iter__(self):
        while True:
            yield 0.0


class Wide(dict):
    def items(self):
        while True:
            yield 0, 0

    keys = values = __iter__ = items


def softmax(x):
    return Long([Wide(), Wide({1: 2})])
