# Tries to raise where somebody asks for the name of its error.
# expect: softmax raised 0
# says: sys.exit


class Nameless(type):
    @property
    def __name__(cls):
        raise SystemExit(0)


class Error(Exception, metaclass=Nameless):
    pass


def softmax(x):
    raise Error("no")
