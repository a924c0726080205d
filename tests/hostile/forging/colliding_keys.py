# Tries to hang the grader with a dictionary whose keys all have the same hash.
# expect: softmax killed 0
# says: channel that belongs to the grader


def softmax(x):
    pairs = [[{"k": "int", "hex": hex(number * (2**61 - 1))}, 0] for number in range(40_000)]
    send({"k": "dict", "of": [["value", {"k": "dict", "of": pairs}]]})
    return np.zeros(len(x))
