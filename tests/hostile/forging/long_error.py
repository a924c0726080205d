# Tries to send an error whose parts are megabytes long.
# expect: softmax killed 0
# says: belongs to the grader
# harms: the rest of its own answer, whose replies are no longer those to the requests


def softmax(x):
    step = {"k": "list", "of": ["answer.py", 1, "softmax", "x" * 2_000_000]}
    error = [["type", "E" * 2_000_000], ["message", "<b>" * 500_000], ["where", {"k": "list", "of": [step] * 2}]]
    send({"k": "dict", "of": [["error", {"k": "dict", "of": error}]]})
    return np.zeros(len(x))
