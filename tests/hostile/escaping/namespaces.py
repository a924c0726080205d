# Tries to make or enter namespaces.
# expect: softmax wrong 0
# says: returned 0


import platform

CLONE = {"x86_64": 56}.get(platform.machine(), 220)
FLAGS = (0x10000000, 0x20000000, 0x40000000, 0x00020000, 0x08000000, 0x04000000, 0x02000000, 0x00000080)


def softmax(x):
    for flag in FLAGS:
        refused_by_kernel(libc.unshare, flag)
        refused_by_kernel(libc.unshare, flag | 0x10000000)
        if flag != 0x80:  # which clone takes for a signal
            refused_by_kernel(libc.syscall, CLONE, flag | 17, 0, 0, 0, 0)
    refused_by_kernel(libc.syscall, 435, (ctypes.c_uint64 * 8)(0x10000000), 64)
    for name in os.listdir("/proc/self/ns") if os.path.exists("/proc/self") else ():
        refused_by_kernel(libc.setns, os.open(f"/proc/self/ns/{name}", os.O_RDONLY), 0)
    return np.zeros(len(x))
