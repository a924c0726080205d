# Tries to end the grader, the zygote, the other answers and everything there is.
# expect: softmax wrong 0
# says: returned 0


import signal


def softmax(x):
    for process in (PID, os.getppid() or 10**6, *range(2, 400)):
        refused(os.kill, process, signal.SIGKILL)
        refused(os.pidfd_open, process)
    refused(os.killpg, PID, signal.SIGKILL)
    try:
        os.kill(-1, signal.SIGKILL)
        os.killpg(0, signal.SIGTERM)
    except OSError:
        pass
    return np.zeros(len(x))
