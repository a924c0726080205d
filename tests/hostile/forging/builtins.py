# Tries to replace what every line of the worker relies on.
# expect: softmax killed 0


import builtins


def softmax(x):
    builtins.isinstance = lambda *a: True
    builtins.len = lambda *a: 3
    builtins.type = builtins.enumerate = None
    return np.zeros(len(x))
