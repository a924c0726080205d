# Tries to raise where its error is printed.
# expect: softmax raised 0
# says: cannot be printed


class Silent(Exception):
    def __str__(self):
        raise SystemExit(0)

    __repr__ = __str__


def softmax(x):
    raise Silent
