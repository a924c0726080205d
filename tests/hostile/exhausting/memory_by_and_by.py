# Tries to fill the memory piece by piece.
# expect: softmax memory 0
# says: ran out of memory


def softmax(x):
    kept = []
    while True:
        kept.append(np.empty(1 << 25))
