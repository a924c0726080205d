# Tries to write a reply of its own to every descriptor, ahead of the worker's.
# expect: softmax wrong 0
# says: returned
# harms: the rest of its own answer, whose replies are no longer those to the requests


def softmax(x):
    value = {"k": "list", "of": [0.5, 0.5]}
    send({"k": "dict", "of": [["value", value], ["ref", 0], ["changed", {"k": "list", "of": []}]]})
    return np.zeros(len(x))
