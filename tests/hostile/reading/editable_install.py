# Tries to import the kit by way of what an editable installation left in site-packages.
# expect: softmax wrong 0
# says: returned 0


import importlib


def softmax(x):
    import site

    for folder in list(sys.path):
        site.addsitedir(folder)  # runs .pth files
    for name in ("autograder.suites", "autograder.judging.judge", "solutions.one_query"):
        refused(importlib.import_module, name)
    return np.zeros(len(x))
