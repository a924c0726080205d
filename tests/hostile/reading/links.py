# Tries to reach the suites over links and over the kernel's own views of the root folder.
# expect: softmax wrong 0
# says: returned 0


def softmax(x):
    for number, way in enumerate(
        ("", "/proc/self/root", "/proc/1/root", "/proc/self/cwd/..", "/proc/thread-self/root")
    ):
        suite = f"{way}ROOT/autograder/suites/test_softmax.py"
        refused(open, suite)
        name = f"link{number}-{len(os.listdir())}"
        os.symlink(suite, name)
        refused(open, name)
        refused(os.link, suite, name + "hard")
    return np.zeros(len(x))
