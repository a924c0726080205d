# Tries to return objects that run a command where they are unpickled or copied.
# expect: softmax wrong 0
# says: object


class Command:
    def __reduce__(self):
        return os.system, ("touch /tmp/attn_hostile",)

    __deepcopy__ = __copy__ = __reduce_ex__ = lambda self, *a: os.system("touch /tmp/attn_hostile")


def softmax(x):
    return np.array([Command() for _ in x]) if len(x) % 2 else Command()
