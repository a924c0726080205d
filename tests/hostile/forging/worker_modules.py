# Tries to replace the worker's functions in its modules.
# expect: softmax wrong 0
# harms: the rest of its own answer, whose replies are no longer those to the requests


def forged(reply):
    text = b'{"k":"dict","of":[["value",{"k":"list","of":[0.5,0.5]}]]}'
    return len(text).to_bytes(4, "big") + bytes(4) + text


def softmax(x):
    for name, module in list(sys.modules.items()):
        if name.startswith("worker"):
            vars(module).update({"encode": forged, "is_unchanged": lambda *a: True})
    return np.zeros(len(x))
