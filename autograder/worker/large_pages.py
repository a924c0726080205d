"""Gathers the memory of this process in large pages: a fork copies one entry for each page, and torch fills 40,000."""

import contextlib
import ctypes
import sys

_LARGE = 2 << 20
_MADV_COLLAPSE = 25


def gather_pages() -> None:
    """Have the kernel merge what lies together, as far as it can; takes a quarter of a second with torch."""
    if sys.platform != "linux":
        return
    advise = ctypes.CDLL(None).madvise
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    with contextlib.suppress(OSError), open("/proc/self/maps") as maps:
        for line in maps.read().splitlines():
            span, rights, *_, name = f"{line} ".split(" ", 5)
            start, end = (int(side, 16) for side in span.split("-"))
            if "w" in rights and name.strip() in ("", "[heap]"):
                for place in range(-(-start // _LARGE) * _LARGE, end - _LARGE + 1, _LARGE):
                    advise(place, _LARGE, _MADV_COLLAPSE)  # an older kernel knows no such advice, and that is all
