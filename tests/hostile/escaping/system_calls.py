# Tries to reach what the kernel offers to nobody's homework, past libc.
# expect: softmax wrong 0
# says: returned 0


import platform

CALLS = {
    "x86_64": {
        "io_uring_setup": 425, "io_uring_enter": 426, "bpf": 321, "perf_event_open": 298, "userfaultfd": 323,
        "keyctl": 250, "add_key": 248, "request_key": 249, "process_vm_writev": 311, "kexec_load": 246,
        "init_module": 175, "pidfd_getfd": 438, "open_by_handle_at": 304, "fsopen": 430, "open_tree": 428,
        "move_mount": 429, "swapon": 167, "reboot": 169, "acct": 163, "memfd_secret": 447, "setns": 308,
        "kcmp": 312, "quotactl": 179, "syslog": 103, "sethostname": 170, "settimeofday": 164, "iopl": 172,
    }
}  # fmt: skip


def softmax(x):
    for name, number in CALLS.get(platform.machine(), {}).items():
        if libc.syscall(number, 0, 0, 0, 0, 0, 0) != -1:
            breach(name)
    return np.zeros(len(x))
