# Tries to learn from the kernel what its descriptors are.
# expect: softmax wrong 0
# says: returned 0


def softmax(x):
    for number in range(1024):
        try:
            target = os.readlink(f"/proc/self/fd/{number}")
        except OSError:
            continue
        if "ROOT" in target or "SECRET" in target:
            breach(target)
    return np.zeros(len(x))
