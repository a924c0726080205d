# Tries to have the grader unpickle a command.
# expect: softmax killed 0
# says: channel that belongs to the grader


import json
import pickle
import struct


def send(tree, raw=b""):
    text = json.dumps(tree).encode() if isinstance(tree, (dict, list)) else tree
    for number in range(3, 20):
        try:
            os.write(number, struct.pack("!II", len(text), len(raw)) + text + raw)
        except OSError:
            pass


class Command:
    def __reduce__(self):
        return os.system, ("touch /tmp/attn_hostile",)


def softmax(x):
    send(pickle.dumps(Command()))
    return np.zeros(len(x))
