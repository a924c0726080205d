# Tries to replace the methods of the worker's runner.
# expect: softmax wrong 0
# says: returned


import gc


def softmax(x):
    for thing in gc.get_referrers(sys.modules["answer"]):
        if isinstance(thing, dict) and "results" in thing and "lines" in thing:
            thing["_call"] = thing["answer"] = lambda *a: {"value": True, "verdict": "passed", "points": 8}
    return np.zeros(len(x))
