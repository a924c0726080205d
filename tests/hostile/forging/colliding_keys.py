# Tries to hang the grader with a dictionary whose keys all have the same hash.
# expect: softmax killed 0
# says: channel that belongs to the grader


import json
import struct


def send(tree, raw=b""):
    text = json.dumps(tree).encode() if isinstance(tree, (dict, list)) else tree
    for number in range(3, 20):
        try:
            os.write(number, struct.pack("!II", len(text), len(raw)) + text + raw)
        except OSError:
            pass


def softmax(x):
    pairs = [[{"k": "int", "hex": hex(number * (2**61 - 1))}, 0] for number in range(40_000)]
    send({"k": "dict", "of": [["value", {"k": "dict", "of": pairs}]]})
    return np.zeros(len(x))
