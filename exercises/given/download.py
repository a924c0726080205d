"""Download of a large file over HTTP: complete or not at all, and resumed after a broken connection.

Bytes are written to `NAME.part`, and `NAME.version` contains the server's name for this version of the file. The file
gets its own name only when it is complete and has been checked.
"""

import contextlib
import errno
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import platformdirs
import requests
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from given.errors import DiskError, DiskFullError, GivenError, LengthError, NetworkError, StatusError

CHUNK = 1 << 16  # bytes that a broken connection may lose
TIMEOUT = 30  # seconds without a single byte
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def cache_folder(chosen: str | os.PathLike[str] | None = None) -> Path:
    """Return the chosen folder, or the one that ATTENTION_CACHE names, or by default the user's cache folder."""
    if chosen := chosen or os.environ.get("ATTENTION_CACHE"):
        return Path(chosen).expanduser()
    return Path(platformdirs.user_cache_dir("attention-exercises"))


def fetch(url: str, target: Path, check: Callable[[Path], None]) -> None:
    """Download a file, unless it exists, and check it.

    Parameters
    ----------
    url : str
    target : pathlib.Path
        The path of the file. A missing folder is created.
    check : callable
        Called with the path of the complete file. It raises a `GivenError` if this is the wrong file, which is then
        removed.

    Raises
    ------
    GivenError
        See `given.errors`. After a `NetworkError` or a `DiskFullError`, the next call resumes the download.
    """
    part = _Part(target)
    with writing_in(target.parent):
        target.parent.mkdir(parents=True, exist_ok=True)
        path = target if target.exists() else part.path
        if path != target and not _download(url, part, part.range_headers()):
            part.remove()
            _download(url, part, {})
        try:
            check(path)
        except GivenError:
            path.unlink()
            part.remove()
            raise
        if path != target:
            settle(path, target)
            part.remove()


class _Part:
    """The downloaded beginning of a file, and the version of this file."""

    def __init__(self, target: Path) -> None:
        self.path = target.with_name(f"{target.name}.part")
        self.stamp = target.with_name(f"{target.name}.version")

    def size(self) -> int:
        return self.path.stat().st_size if self.path.exists() else 0

    def version(self) -> str:
        return self.stamp.read_text(encoding="latin-1") if self.stamp.exists() else ""

    def range_headers(self) -> dict[str, str]:
        """Return the headers that request the rest of the file; empty unless bytes and their version are stored."""
        if self.size() and self.version():
            return {"Range": f"bytes={self.size()}-", "If-Range": self.version()}
        return {}

    def start(self, version: str) -> None:
        # In this order, a crash never leaves the old bytes with the new version.
        self.remove()
        self.stamp.write_text(version, encoding="latin-1")
        self.path.touch()

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)
        self.stamp.unlink(missing_ok=True)


def _download(url: str, part: _Part, headers: dict[str, str]) -> bool:
    """Complete the part. Return False if the stored bytes are useless, and the file must be downloaded again."""
    with _get(url, headers) as response:
        have, total = part.size(), _total(response)
        if response.status_code == 416 and headers:
            return total == have  # The part was complete, and only its renaming was missing.
        if response.status_code == 206 and headers:
            # Some servers ignore If-Range and send the end of another version, or a range that was not requested.
            start = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
            if not start or int(start[1]) != have or _version(response) not in ("", part.version()):
                return False
        elif response.status_code == 200:
            have = 0
            part.start(_version(response))
        else:
            raise StatusError(f"{url} answered {response.status_code} {response.reason}: try again later.")
        _receive(response, part, have, total)
    return True


def _get(url: str, headers: dict[str, str]) -> requests.Response:
    try:
        # Ranges count the bytes that are sent, so these must not be compressed.
        headers = {"Accept-Encoding": "identity", **headers}
        return requests.get(url, headers=headers, stream=True, timeout=TIMEOUT)
    except requests.RequestException:
        raise NetworkError(f"{url} cannot be reached: look at your connection, then try again.") from None


def _version(response: requests.Response) -> str:
    """Return a name of this version for If-Range, or "". Weak tags are not allowed there."""
    tag = response.headers.get("ETag", "")
    return tag if tag.startswith('"') else response.headers.get("Last-Modified", "")


def _total(response: requests.Response) -> int | None:
    """Return the length of the whole file, or None if the server does not tell it."""
    if response.status_code in (206, 416):
        found = re.fullmatch(r"bytes .*/(\d+)", response.headers.get("Content-Range", ""))
    else:
        found = re.fullmatch(r"(\d+)", response.headers.get("Content-Length", ""))
    return int(found[1]) if found else None


def _receive(response: requests.Response, part: _Part, have: int, total: int | None) -> None:
    broken = False
    with open(part.path, "r+b") as file, progress(part.path.stem, total, have) as advance:
        file.seek(have)
        try:
            for chunk in response.iter_content(CHUNK):
                file.write(chunk)
                advance(len(chunk))
        except requests.RequestException:
            broken = True
    size = part.size()
    if total is not None and size > total:
        part.remove()
        raise LengthError(f"{response.url} sent more than the {total} bytes that it announced: try again.")
    if total is not None and size < total:
        raise LengthError(f"{response.url} sent {size} of {total} bytes: try again, and it goes on from there.")
    if broken:
        raise NetworkError(f"{response.url} broke off after {size} bytes: try again, and it goes on from there.")


def settle(part: Path, target: Path) -> None:
    """Give a complete file its name, in one step, after its bytes are on the disk."""
    with open(part, "r+b") as file:
        os.fsync(file.fileno())
    os.replace(part, target)


@contextlib.contextmanager
def writing_in(folder: Path) -> Iterator[None]:
    """Replace an `OSError` inside the context with a `DiskError` whose message names the folder."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise DiskFullError(f"There is no room left in {folder}: make some, then try again.") from None
        raise DiskError(f"{folder} cannot be used ({error.strerror}): choose another folder.") from None


@contextlib.contextmanager
def progress(title: str, total: int | None, done: int = 0) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on stderr, and yield a function to call with the number of new bytes."""
    columns = TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=total, completed=done)
        yield lambda size: bar.advance(task, size)
