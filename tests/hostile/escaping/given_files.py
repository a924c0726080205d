# Tries to change what the course hands out.
# expect: softmax wrong 0
# says: returned 0


import given


def softmax(x):
    folder = os.path.dirname(given.__file__)
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        refused(os.open, path, os.O_WRONLY | os.O_APPEND)
        refused(os.truncate, path, 0)
        refused(os.rename, path, path + ".attn_hostile")
    refused(open, os.path.join(folder, "attn_hostile.py"), "w")
    return np.zeros(len(x))
