# Tries to send a verdict in place of a value.
# expect: softmax killed 0
# says: channel that belongs to the grader


def softmax(x):
    send({"k": "dict", "of": [["outcome", "passed"], ["points", 8], ["max_points", 8]]})
    return np.zeros(len(x))
