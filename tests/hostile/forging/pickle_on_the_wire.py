# Tries to have the grader unpickle a command.
# expect: softmax killed 0
# says: channel that belongs to the grader


import pickle


class Command:
    def __reduce__(self):
        return os.system, ("touch /tmp/attn_hostile",)


def softmax(x):
    send(pickle.dumps(Command()))
    return np.zeros(len(x))
