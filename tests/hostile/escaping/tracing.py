# Tries to trace the grader, process 1 and a child of its own.
# expect: softmax wrong 0
# says: returned 0


def softmax(x):
    for request in (0, 16, 0x4206):
        for process in (PID, 1, os.getppid()):
            refused_by_kernel(libc.ptrace, request, process, 0, 0)
    return np.zeros(len(x))
