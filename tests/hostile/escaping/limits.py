# Tries to raise its own limits, and to change those of others.
# expect: softmax wrong 0
# says: returned 0


import resource


def softmax(x):
    for name in ("AS", "CPU", "FSIZE", "NPROC", "NOFILE", "CORE", "MEMLOCK"):
        kind = getattr(resource, f"RLIMIT_{name}")
        if resource.getrlimit(kind)[1] == resource.RLIM_INFINITY:
            breach(name)
        refused(resource.setrlimit, kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        refused(resource.prlimit, PID, kind, (1, 1))
    refused(os.nice, -10)
    refused(os.setpriority, os.PRIO_PROCESS, 0, -10)
    refused(open, "/proc/self/oom_score_adj", "w")
    if os.path.exists("/proc/self") and open("/proc/self/oom_score_adj").read().strip() != "1000":
        breach("memory runs out, and others end")
    return np.zeros(len(x))
