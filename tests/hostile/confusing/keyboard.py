# Tries to look like somebody who pressed Ctrl-C.
# expect: softmax raised 0
# says: KeyboardInterrupt


def softmax(x):
    raise KeyboardInterrupt
