# Tries to return the worker's own description of a module, forged.
# expect: softmax wrong 0
# says: object


def softmax(x):
    described = sys.modules["worker.wire"].Described
    return described("module", {"parameters": {}, "training": True})
