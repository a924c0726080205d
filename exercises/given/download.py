"""Fetch a large file over HTTP: whole or not at all, and taken up where it broke off.

Bytes gather in `NAME.part`, beside them `NAME.version` holds what the server called this version of the file. Only when
all is there and has been checked does the file get its own name.
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

CHUNK = 1 << 16  # what a broken connection may lose
TIMEOUT = 30  # seconds without a single byte
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def cache_folder(chosen: str | os.PathLike[str] | None = None) -> Path:
    """The folder chosen, else the one that ATTENTION_CACHE names, else the user's cache folder."""
    if chosen := chosen or os.environ.get("ATTENTION_CACHE"):
        return Path(chosen).expanduser()
    return Path(platformdirs.user_cache_dir("attention-exercises"))


def fetch(url: str, target: Path, check: Callable[[Path], None]) -> None:
    """Download a file, unless it is there.

    Parameters
    ----------
    url : str
    target : pathlib.Path
        Its folder is made where it is missing.
    check : callable
        Called with the path of the whole file; raises a `GivenError` where it is not what was wanted, and the file is
        then removed.

    Raises
    ------
    GivenError
        See `given.errors`. After a `NetworkError` or a `DiskFullError` the next call takes up what is there.
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
    """The beginning of a file, and the version of the file that it is the beginning of."""

    def __init__(self, target: Path) -> None:
        self.path = target.with_name(f"{target.name}.part")
        self.stamp = target.with_name(f"{target.name}.version")

    def size(self) -> int:
        return self.path.stat().st_size if self.path.exists() else 0

    def version(self) -> str:
        return self.stamp.read_text(encoding="latin-1") if self.stamp.exists() else ""

    def range_headers(self) -> dict[str, str]:
        """What asks for the rest; empty where there is nothing to go on from, or no telling whether the rest fits."""
        if self.size() and self.version():
            return {"Range": f"bytes={self.size()}-", "If-Range": self.version()}
        return {}

    def start(self, version: str) -> None:
        # In this order, a crash in between never leaves old bytes beside a new version.
        self.remove()
        self.stamp.write_text(version, encoding="latin-1")
        self.path.touch()

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)
        self.stamp.unlink(missing_ok=True)


def _download(url: str, part: _Part, headers: dict[str, str]) -> bool:
    """Bring the part to its full length; False where what is there is of no use and has to be fetched anew."""
    with _get(url, headers) as response:
        have, total = part.size(), _total(response)
        if response.status_code == 416 and headers:
            return total == have  # only the name was missing
        if response.status_code == 206 and headers:
            # Some servers do not know If-Range and send the end of another version, or not the range asked for.
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
        # Ranges count the bytes that are sent, so they must be those of the file.
        headers = {"Accept-Encoding": "identity", **headers}
        return requests.get(url, headers=headers, stream=True, timeout=TIMEOUT)
    except requests.RequestException:
        raise NetworkError(f"{url} cannot be reached: look at your connection, then try again.") from None


def _version(response: requests.Response) -> str:
    """A name of this version that serves for If-Range, which weak tags do not."""
    tag = response.headers.get("ETag", "")
    return tag if tag.startswith('"') else response.headers.get("Last-Modified", "")


def _total(response: requests.Response) -> int | None:
    """How long the whole file is, as far as the server says; else None."""
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
    """Give a finished file its name, in one step and only once its bytes are on the disk."""
    with open(part, "r+b") as file:
        os.fsync(file.fileno())
    os.replace(part, target)


@contextlib.contextmanager
def writing_in(folder: Path) -> Iterator[None]:
    """Say what is wrong with the disk in a sentence."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise DiskFullError(f"There is no room left in {folder}: make some, then try again.") from None
        raise DiskError(f"{folder} cannot be used ({error.strerror}): choose another folder.") from None


@contextlib.contextmanager
def progress(title: str, total: int | None, done: int = 0) -> Iterator[Callable[[int], None]]:
    """A bar on stderr; gives a function to be called with the number of new bytes."""
    columns = TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(title, total=total, completed=done)
        yield lambda size: bar.advance(task, size)
