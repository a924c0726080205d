# Tries to mount, unmount and change the root folder.
# expect: softmax wrong 0
# says: returned 0


def softmax(x):
    refused_by_kernel(libc.mount, b"tmpfs", b"/usr", b"tmpfs", 0, b"")
    refused_by_kernel(libc.mount, None, b"/", None, 32 | 4096, None)
    for place in (b"/proc", os.getcwd().encode(), b"/dev", b"/"):
        refused_by_kernel(libc.umount2, place, 2)
    refused_by_kernel(libc.syscall, 155, b".", b".")
    refused(os.chroot, ".")
    return np.zeros(len(x))
