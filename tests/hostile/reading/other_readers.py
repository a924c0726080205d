# Tries to read them with what else can read: NumPy, mmap, linecache, importlib, runpy, another folder.
# expect: softmax wrong 0
# says: returned 0


import importlib.machinery
import linecache
import runpy

SUITE = "ROOT/autograder/suites/test_softmax.py"


def softmax(x):
    refused(np.fromfile, SUITE)
    refused(np.memmap, SUITE)
    refused(runpy.run_path, SUITE)
    refused(importlib.machinery.SourceFileLoader("suite", SUITE).get_code, "suite")
    refused(os.open, SUITE.lstrip("/"), os.O_RDONLY, 0, dir_fd=os.open("/", os.O_RDONLY))
    if linecache.getlines(SUITE):
        breach("linecache")
    return np.zeros(len(x))
