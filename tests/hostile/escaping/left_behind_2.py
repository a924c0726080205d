# Tries to find what the answer before it has left.
# expect: softmax wrong 0
# says: returned 0


def softmax(x):
    for folder in (".", os.environ["HOME"], "/dev/shm", "/tmp", "/var/tmp", "/run"):
        if os.path.exists(f"{folder}/attn_hostile"):
            breach(folder)
    for function, *rest in ((libc.shmget, 4096, 0), (libc.msgget, 0), (libc.semget, 1, 0)):
        refused_by_kernel(function, 0x4174746E, *rest)
    refused_by_kernel(libc.mq_open, b"/attn_hostile", 2)
    if "ATTN_HOSTILE" in os.environ or hasattr(np, "attn_hostile") or hasattr(sys, "attn_hostile"):
        breach("memory")
    return np.zeros(len(x))
