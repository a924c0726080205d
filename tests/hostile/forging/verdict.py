# Tries to send a verdict in place of a value.
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
    send({"k": "dict", "of": [["outcome", "passed"], ["points", 8], ["max_points", 8]]})
    return np.zeros(len(x))
