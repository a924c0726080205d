# Tries to end the process as if all were well.
# expect: softmax killed 0
# says: exit code 0


def softmax(x):
    os._exit(0)
