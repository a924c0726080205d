# Tries to read the memory of its parent, of the grader and of process 1.
# expect: softmax wrong 0
# says: returned 0


class Vector(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]


def softmax(x):
    buffer = ctypes.create_string_buffer(64)
    here = Vector(ctypes.addressof(buffer), 64)
    for process in (os.getppid(), PID, 1):
        if libc.process_vm_readv(process, ctypes.byref(here), 1, ctypes.byref(here), 1, 0) > 0:
            breach(process)
    return np.zeros(len(x))
