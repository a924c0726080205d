# Tries to write a reply of its own to every descriptor, ahead of the worker's.
# expect: softmax wrong 0
# says: returned
# harms: the rest of its own answer, whose replies are no longer those to the requests


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
    value = {"k": "list", "of": [0.5, 0.5]}
    send({"k": "dict", "of": [["value", value], ["ref", 0], ["changed", {"k": "list", "of": []}]]})
    return np.zeros(len(x))
