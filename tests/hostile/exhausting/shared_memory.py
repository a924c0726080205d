# Tries to fill the memory with files that live in it.
# expect: softmax wrong 0
# says: returned 0


def softmax(x):
    kept = []
    try:
        while True:
            kept.append(os.memfd_create("attn_hostile"))
            os.write(kept[-1], bytes(1 << 20))
            refused(os.posix_fallocate, kept[-1], 0, 1 << 30)
    except OSError:
        pass
    if len(kept) > 64:
        breach(len(kept))
    return np.zeros(len(x))
