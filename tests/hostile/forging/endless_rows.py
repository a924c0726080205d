# Tries to have the grader list an array of 2**61 empty rows.
# expect: softmax killed 0
# says: channel that belongs to the grader


def softmax(x):
    rows = {"k": "array", "dtype": "<f8", "shape": [2**61, 0], "bytes": 0}
    send({"k": "dict", "of": [["value", rows]]})
    return np.zeros(len(x))
