import ctypes
import json
import os
import struct
import sys
import time

import numpy as np

libc = ctypes.CDLL(None, use_errno=True)


def breach(what):
    raise AssertionError(f"BREACH {what!r}"[:300])


def refused(function, *args, **options):
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


def send(tree, raw=b""):
    """Write a forged reply to every descriptor, before the worker replies."""
    text = json.dumps(tree).encode() if isinstance(tree, (dict, list)) else tree
    for number in range(3, 20):
        try:
            os.write(number, struct.pack("!II", len(text), len(raw)) + text + raw)
        except OSError:
            pass
