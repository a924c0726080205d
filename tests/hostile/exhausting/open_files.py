# Tries to open more files than there may be.
# expect: softmax raised 0
# says: Too many open files


def softmax(x):
    kept = []
    while True:
        kept.append(open("/dev/null"))
