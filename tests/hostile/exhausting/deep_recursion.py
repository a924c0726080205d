# Tries to overflow the stack of the interpreter.
# expect: softmax killed 0
# says: was ended by signal


sys.setrecursionlimit(10**9)


class Endless:
    def __getattr__(self, name):
        return repr(self)

    def __repr__(self):
        return str([self])


def softmax(x):
    return repr(Endless())
