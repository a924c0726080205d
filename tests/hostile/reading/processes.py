# Tries to see other processes, their command lines and their memory.
# expect: softmax wrong 0
# says: returned 0


def softmax(x):
    others = [name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
    if others:
        breach(others)
    for part in ("cmdline", "mem", "maps", "environ", "fd/0"):
        refused(open, f"/proc/PID/{part}", "rb")
    return np.zeros(len(x))
