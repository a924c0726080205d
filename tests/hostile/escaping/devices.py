# Tries to make devices and to open those of the machine.
# expect: softmax wrong 0
# says: returned 0


import stat


def softmax(x):
    for device in ((1, 1), (1, 3), (8, 0), (254, 0), (253, 0)):
        for kind in (stat.S_IFCHR, stat.S_IFBLK):
            refused(os.mknod, "device", kind | 0o666, os.makedev(*device))
    for name in set(os.listdir("/dev")) - {"null", "zero", "full", "stdin", "stdout", "stderr", "fd"}:
        refused(os.open, f"/dev/{name}", os.O_WRONLY)
    refused(os.openpty)
    return np.zeros(len(x))
