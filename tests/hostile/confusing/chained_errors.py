# Tries to raise an error that is its own cause.
# expect: softmax raised 0
# says: raised ValueError


def softmax(x):
    first, second = ValueError("first"), ValueError("second")
    first.__cause__, second.__cause__ = second, first
    first.__context__ = second
    raise first
