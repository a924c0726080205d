# Tries to read from descriptors that were left open.
# expect: softmax wrong 0
# says: returned 0


def softmax(x):
    for number in [0, *range(4, 1024)]:
        try:
            data = os.read(number, 100)
        except OSError:
            continue
        if data or number:
            breach((number, data))
    return np.zeros(len(x))
