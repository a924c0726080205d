# Tries to load a library of its own.
# expect: softmax wrong 0
# says: returned 0


def softmax(x):
    library = next(
        f"{folder}/libm.so.6"
        for folder in ("/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/lib64", "/usr/lib")
        if os.path.exists(f"{folder}/libm.so.6")
    )
    with open("own.so", "wb") as file:
        file.write(open(library, "rb").read())
    refused(os.execv, os.path.abspath("own.so"), ["own.so"])
    ctypes.CDLL(os.path.abspath("own.so"))  # as good as any code of its own, and as shut in
    return np.zeros(len(x))
