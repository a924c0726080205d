# Tries to fill the memory with what no process holds: files that live in it, pages that are shared and let go of.
# expect: softmax wrong 0
# says: returned 0


import mmap


def softmax(x):
    refused(os.memfd_create, "attn_hostile")
    refused(mmap.mmap, -1, 1 << 20)
    with open("/dev/zero", "rb") as zero:
        refused(mmap.mmap, zero.fileno(), 1 << 20, mmap.MAP_SHARED, mmap.PROT_READ)
    kept = []
    try:
        while True:
            kept.append(open(f"attn_hostile_{len(kept)}", "wb"))
            kept[-1].write(bytes(1 << 20))
            refused(os.posix_fallocate, kept[-1].fileno(), 0, 1 << 30)
    except OSError:
        pass
    if len(kept) > 64:
        breach(len(kept))
    return np.zeros(len(x))
