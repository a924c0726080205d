# Tries to take away what Python has built in.
# expect: softmax killed 0
# says: ended its own process


def softmax(x):
    __builtins__.clear() if isinstance(__builtins__, dict) else vars(__builtins__).clear()
    return undefined
