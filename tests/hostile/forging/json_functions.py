# Tries to replace the functions that write the reply.
# expect: softmax killed 0
# says: channel that belongs to the grader


import json


def softmax(x):
    json.dumps = lambda *a, **k: '"passed"'
    return np.zeros(len(x))
