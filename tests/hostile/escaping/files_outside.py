# Tries to write anywhere but to its own folder.
# expect: softmax wrong 0
# says: returned 0


FOLDERS = ["/", "/etc", "/usr", "/usr/local", "/dev", "/dev/shm", "/proc", "/tmp", "/var/tmp", "/run", "/root", "/home"]
FOLDERS += ["ROOT", "ROOT/autograder", "ROOT/exercises", os.path.dirname("SECRET"), os.path.dirname(np.__file__)]


def softmax(x):
    for folder in FOLDERS + sys.path:
        refused(open, os.path.join(folder, "attn_hostile"), "w")
        refused(os.mkdir, os.path.join(folder, "attn_hostile.d"))
        refused(os.symlink, "x", os.path.join(folder, "attn_hostile.l"))
    return np.zeros(len(x))
