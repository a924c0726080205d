# Tries to end the program as if all were well.
# expect: softmax raised 0
# says: sys.exit


def softmax(x):
    sys.exit(0)
