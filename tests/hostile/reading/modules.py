# Tries to find the kit among the modules that are loaded.
# expect: softmax wrong 0
# says: returned 0


def softmax(x):
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in ("autograder", "pytest", "_pytest", "solutions", "misconceptions", "nbgrader"):
            breach(name)
        for word in ("SUITES", "SOLUTIONS", "SECRET", "secret"):
            if word in vars(module):
                breach((name, word))
    return np.zeros(len(x))
