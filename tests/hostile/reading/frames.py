# Tries to find expected values or suites in the frames of its callers.
# expect: softmax wrong 0
# says: returned 0


def softmax(x):
    frame = sys._getframe()
    while frame:
        for name, value in {**frame.f_globals, **frame.f_locals}.items():
            if name in ("solution", "expected", "secret", "suites", "answer_file", "verdict"):
                breach((name, value))
        if "suites" in frame.f_code.co_filename or "test_" in frame.f_code.co_filename:
            breach(frame.f_code.co_filename)
        frame = frame.f_back
    return np.zeros(len(x))
