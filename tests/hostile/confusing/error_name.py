# Tries to give its error a name with terminal codes in it, a megabyte long.
# expect: softmax raised 0
# says: raised


def softmax(x):
    raise type("\x1b[31mE\x07" * 200_000, (Exception,), {})("no")
