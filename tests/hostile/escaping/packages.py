# Tries to change libraries for all who import them: source, caches, .pth files.
# expect: softmax wrong 0
# says: returned 0


import importlib.util


def softmax(x):
    packages = os.path.dirname(os.path.dirname(np.__file__))
    for path in (np.__file__, importlib.util.cache_from_source(np.__file__), sys.executable, os.__file__):
        refused(open, path, "a")
        refused(os.chmod, path, 0o777)
        refused(os.utime, path, (0, 0))
        refused(os.rename, path, path + ".attn_hostile")
        refused(os.unlink, path)
    refused(open, os.path.join(packages, "attn_hostile.pth"), "w")
    return np.zeros(len(x))
