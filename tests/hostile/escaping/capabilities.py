# Tries to become somebody else, or root again.
# expect: softmax wrong 0
# says: returned 0


def softmax(x):
    refused(os.setuid, 0)
    refused(os.setresuid, 0, 0, 0)
    refused(os.setgroups, [0])
    refused(os.chown, ".", 0, 0)
    header, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(*[0xFFFFFFFF] * 6)
    refused_by_kernel(libc.capset, header, data)
    for path in ("uid_map", "gid_map", "setgroups"):
        refused(open, f"/proc/self/{path}", "w")
    return np.zeros(len(x))
