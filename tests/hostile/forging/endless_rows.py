# Tries to have the grader list an array of 2**61 empty rows.
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
    rows = {"k": "array", "dtype": "<f8", "shape": [2**61, 0], "bytes": 0}
    send({"k": "dict", "of": [["value", rows]]})
    return np.zeros(len(x))
