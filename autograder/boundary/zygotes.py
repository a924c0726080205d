"""The warm zygotes of this process, one for each set of libraries, and the workers that they fork."""

import atexit
import contextlib
import os
import socket

from autograder.boundary.channel import Worker
from autograder.boundary.spawned import Spawned
from autograder.boundary.zygote import Zygote
from autograder.chapters.extras import require_libraries

NO_FORK = not (hasattr(os, "fork") and hasattr(socket, "send_fds"))

_zygotes: dict[tuple[str, ...], Zygote] = {}


def zygote_for(libraries: tuple[str, ...]) -> Zygote:
    """The warm zygote that has imported these libraries, perhaps still starting; `MissingExtra` where it cannot."""
    require_libraries(libraries, "This chapter")
    zygote = _zygotes.get(libraries)
    if zygote is None or not zygote.is_running():
        if zygote is not None:
            zygote.close()
        zygote = _zygotes[libraries] = (Spawned if NO_FORK else Zygote)(libraries)
    return zygote


def new_worker(libraries: tuple[str, ...], printed: int | None = None) -> Worker:
    """A worker for one answer, which prints to this descriptor if there is one."""
    zygote = zygote_for(libraries)
    worker = Worker(zygote, *zygote.fork(printed))
    if not zygote.is_shared():
        del _zygotes[libraries]  # it is this worker's alone
    return worker


if hasattr(os, "register_at_fork"):  # those of a parent are not a fork's to use, nor to end
    os.register_at_fork(after_in_child=_zygotes.clear)


@atexit.register
def close_zygotes() -> None:
    while _zygotes:
        with contextlib.suppress(OSError):
            _zygotes.popitem()[1].close()
