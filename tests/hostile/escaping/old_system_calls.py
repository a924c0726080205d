# Tries to make the system calls of 32-bit programs, which have other numbers.
# expect: softmax killed 0
# says: was ended by signal


import mmap

# mov eax, 102 (socketcall); mov ebx, 1; int 0x80; ret
CODE = bytes.fromhex("b866000000bb01000000cd80c3")


def softmax(x):
    own = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    memory = mmap.mmap(-1, 4096, own, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(CODE)
    result = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))()
    if result != -38:  # the kernel does not know such calls
        breach(result)
    os.kill(os.getpid(), 9)
    os.abort()
