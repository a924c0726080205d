"""Takes out of a submission what is no file of the learner's, before anybody follows it or waits for it."""

import errno
import itertools
import os
import stat
from collections.abc import Iterable
from pathlib import Path


def tidy(folder: Path, notebooks: Iterable[str]) -> list[str]:
    """Take links, pipes, devices and sockets out of a submission; sentences for the teacher.

    A link is a name: what it leads to was not handed in, and stays where it is. A folder that is called like a notebook
    gets another name.

    `folder`: `submitted/<student>/<assignment>`.
    `notebooks`: file names.
    `OSError` where the folder itself is a link.
    """
    if folder.is_symlink() or folder.parent.is_symlink():
        raise OSError(errno.ELOOP, "it is a link, and what that leads to was not handed in here", str(folder))
    told = []
    for top, folders, files in os.walk(folder):
        for name in [*folders, *files]:
            path = Path(top, name)
            kind = _kind(os.lstat(path).st_mode)
            if kind:
                os.unlink(path)
                told.append(f"{path.relative_to(folder)} was {kind}, and no file that was handed in: taken out")
            elif (plain := _readable(name)) != name:
                path = path.rename(free_path(Path(top, plain)))
                folders.append(path.name)
                told.append(f"{path.relative_to(folder)} had a name that is no text: it has this one now")
        folders[:] = [name for name in folders if Path(top, name).is_dir()]
    for name in notebooks:
        if (folder / name).is_dir():
            (folder / name).rename(folder / f"{name} (folder)")
            told.append(f"{name} was a folder: now called {name} (folder)")
    return told


def _readable(name: str) -> str:
    """A file's name as text: nbgrader, and any table or page, ends at half a letter."""
    return os.fsencode(name).decode("utf-8", "replace")


def free_path(path: Path) -> Path:
    """The path, or one like it that nothing has."""
    names = (path.with_name(f"{path.stem}{f'-{number}' * (number > 0)}{path.suffix}") for number in itertools.count())
    return next(name for name in names if not os.path.lexists(name))


def _kind(mode: int) -> str:
    """What it is, where it is neither file nor folder."""
    names = ((stat.S_ISLNK, "a link"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))
    found = next((name for test, name in names if test(mode)), "")
    return found or ("" if stat.S_ISREG(mode) or stat.S_ISDIR(mode) else "a device")
