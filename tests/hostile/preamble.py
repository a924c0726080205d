import ctypes
import os
import sys
import time

import numpy as np

libc = ctypes.CDLL(None, use_errno=True)


def breach(what):
    raise AssertionError(f"BREACH {what!r}"[:300])


def refused(function, *args, **options):
    """Call what must fail."""
    try:
        result = function(*args, **options)
    except BaseException:
        return
    breach((getattr(function, "__name__", function), args, result))


def refused_by_kernel(function, *args):
    """Call a function of libc that must return an error."""
    result = function(*args)
    if result != -1:
        breach((args, result))


def right(x):
    e = np.exp(np.array(x) - np.max(x))
    return e / e.sum()
