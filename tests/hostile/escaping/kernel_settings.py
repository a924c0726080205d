# Tries to change settings of the machine.
# expect: softmax wrong 0
# says: returned 0


import socket


def softmax(x):
    for path in (
        "/proc/sys/kernel/hostname",
        "/proc/sysrq-trigger",
        "/proc/sys/kernel/core_pattern",
        "/sys/power/state",
    ):
        refused(open, path, "w")
    refused(socket.sethostname, "attn_hostile")
    refused(time.clock_settime, time.CLOCK_REALTIME, 0)
    return np.zeros(len(x))
