# Tries to find secrets in the environment, its own and that of other processes.
# expect: softmax wrong 0
# says: returned 0


def softmax(x):
    if any(word in f"{name}={value}" for name, value in os.environ.items() for word in ("HOSTILE_CANARY", "SECRET")):
        breach("environment")
    for process in filter(str.isdigit, os.listdir("/proc")):
        if b"HOSTILE_CANARY" in open(f"/proc/{process}/environ", "rb").read():
            breach(process)
    return np.zeros(len(x))
