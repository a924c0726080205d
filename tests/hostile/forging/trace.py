# Tries to change the worker's variables with a trace function.
# expect: softmax wrong 0
# says: returned 'passed'
# harms: the rest of its own answer, whose replies are no longer those to the requests


def tracer(frame, event, arg):
    for name in ("expected", "verdict", "points", "outcome"):
        if name in frame.f_locals:
            frame.f_locals[name] = {"value": "passed"}
            ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), 0)
    return tracer


def softmax(x):
    frame = sys._getframe()
    while frame:
        frame.f_trace = tracer
        frame = frame.f_back
    sys.settrace(tracer)
    return np.zeros(len(x))
