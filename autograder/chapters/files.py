"""Safe file access in folders where other people can write: it follows no links, never blocks, and is atomic."""

import contextlib
import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from autograder.chapters.errors import CourseError, UnreadableAnswer, reason_of
from autograder.chapters.text import clean

_PLAIN = sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def open_plain(path: Path, limit: int, follow_links: bool = False) -> BinaryIO:
    """Open a plain file of at most `limit` bytes. Pipes are refused, and links too unless `follow_links` is true."""
    shown_path = clean(path)
    try:
        file = os.open(path, os.O_RDONLY | _PLAIN | (0 if follow_links else _NO_LINK))
    except OSError as error:
        if os.path.islink(path) and not follow_links:
            raise UnreadableAnswer(f"{shown_path} is a link: the file that it points to was not submitted") from None
        raise UnreadableAnswer(f"{shown_path} cannot be read: {reason_of(error)}") from None
    try:
        status = os.fstat(file)
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableAnswer(f"{shown_path} is not a file: name the files themselves")
        if status.st_size > limit:
            raise UnreadableAnswer(f"{shown_path} is larger than {limit >> 20} MB: clear its outputs, save it again")
        return open(file, "rb")
    except BaseException:
        os.close(file)
        raise


@contextlib.contextmanager
def explain_errors(path: Path, kind: type[Exception] = CourseError) -> Iterator[None]:
    """Convert an `OSError` inside this context to a `kind` of error, which says that `path` cannot be written."""
    try:
        yield
    except OSError as error:
        raise kind(f"{path} cannot be written: {reason_of(error)}") from None


def write_output(path: Path, content: str | bytes) -> None:
    """Write a file that only its owner can read: it contains names, grades or secrets."""
    with explain_errors(path):
        write_file(path, content, 0o600)


def read_file_version(path: Path | None) -> tuple | None:
    """Return a value that changes when a file is saved, or None if the file does not exist."""
    try:
        status = os.stat(path) if path else None
    except OSError:
        return None
    return status and (str(path), status.st_ino, status.st_size, status.st_mtime_ns)


def read_plain(path: Path, limit: int, follow_links: bool = False) -> bytes:
    """Return the bytes of a plain file. Raises `UnreadableAnswer` if it is larger than `limit` or not a plain file."""
    with open_plain(path, limit, follow_links) as file:
        return file.read(os.fstat(file.fileno()).st_size)  # ignore bytes that are appended now


class FileChanged(Exception):
    """Raised if a file was changed by another program after it was read."""


def write_file(path: Path, content: str | bytes, mode: int | None = None, replaces: bytes | None = None) -> None:
    """Write a file atomically, never through a link. Raises `FileChanged` if it no longer contains `replaces`."""
    # Text is encoded as UTF-8. If `mode` is None, permissions stay the same. An `OSError` leaves the file unchanged.
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name[:80]}.", suffix=".new", dir=path.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(content.encode("utf-8") if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
            if hasattr(os, "fchmod"):  # At first, only the owner can read a temporary file.
                os.fchmod(file.fileno(), _mode_of(path) if mode is None else mode)
        if replaces is None:
            os.replace(temporary, path)
        else:
            _replace_unchanged(path, temporary, replaces)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _replace_unchanged(path: Path, temporary: str, content: bytes) -> None:
    """Replace a file with a temporary one. Raises `FileChanged` if the file no longer has this content."""
    if not _has_content(path, content):
        raise FileChanged
    backup = f"{temporary}.before"
    with contextlib.suppress(OSError):  # Not every file system has hard links.
        os.link(path, backup)
    try:
        os.replace(temporary, path)
        # Another program may have written the file since the check above.
        if os.path.exists(backup) and not _has_content(Path(backup), content):
            os.replace(backup, path)
            raise FileChanged
    finally:
        with contextlib.suppress(OSError):
            os.unlink(backup)


def swap_folder(new: Path, place: Path) -> Path:
    """Move `new` to `place` and return the new path of the previous folder. `undo_swaps` undoes a killed swap."""
    old_folder = place.with_name(f".{place.name}.old")
    if os.path.lexists(place):
        remove(old_folder)
        place.rename(old_folder)
    new.rename(place)
    return old_folder


def undo_swaps(old_folders: Iterable[Path]) -> None:
    """Undo calls of `swap_folder` that were killed: move the previous folder back, unless its place is taken."""
    for old_folder in old_folders:
        folder = old_folder.with_name(old_folder.name[1:-4])
        if not old_folder.parent.is_symlink():
            if os.path.lexists(folder):
                remove(old_folder)
            else:
                old_folder.rename(folder)


def link_or_copy(source: str, target: str) -> str:
    """Hard-link a file, or copy it if that is impossible. The file must never be modified in place."""
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:  # The file system has no hard links.
        shutil.copy2(source, target, follow_symlinks=False)
    return target


def remove(path: Path) -> None:
    """Remove a file, link or folder if it exists, whatever its permissions."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, onerror=_make_writable)
    else:
        path.unlink(missing_ok=True)


def _make_writable(remove_again: Any, path: str, *_: object) -> None:
    os.chmod(os.path.dirname(path), 0o700)
    remove_again(path)


def make_folder(folder: str | os.PathLike, name: str | Path) -> Path:
    """Create a subfolder. Raises `OSError` if a part of its path is a link, which could lead out of the folder."""
    place = Path(folder)
    for part in Path(name).parts:
        place /= part
        if place.is_symlink():
            raise OSError(errno.ELOOP, "it is a link", str(place))
        place.mkdir(exist_ok=True)
    return place


@contextlib.contextmanager
def lock_file(path: Path, seconds: float = 0.0, busy: Exception | None = None) -> Iterator[None]:
    """Hold an exclusive lock, which a kill releases, too. Raises `busy` or `TimeoutError` if another process has it."""
    from filelock import FileLock  # noqa: PLC0415  (takes as long to import as a hint to show)

    if os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
        os.unlink(path)  # Locking through a link would truncate another file.
    lock = FileLock(path, timeout=seconds)
    try:
        lock.acquire()
    except TimeoutError as error:
        raise (busy or error) from None
    try:
        yield
    finally:
        lock.release()


def _has_content(path: Path, content: bytes) -> bool:
    try:
        return read_plain(path, len(content)) == content
    except UnreadableAnswer:  # The file does not exist, or is longer than the content.
        return False


def _mode_of(path: Path) -> int:
    with contextlib.suppress(OSError):
        status = os.lstat(path)
        if stat.S_ISREG(status.st_mode):
            return stat.S_IMODE(status.st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
