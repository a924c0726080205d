"""The server of `attn book`, from its first page to Ctrl-C."""

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from pathlib import Path

from autograder.chapters.files import make_folder, write_whole
from autograder.serve.seat import LearnerSession
from autograder.serve.site import SiteAccess, listen
from autograder.study.editor import open_in_browser
from autograder.study.folder import PROGRESS_FOLDER, Folder
from autograder.study.watching import events

QUIT_SECONDS = 0.5


def serve(folder: Folder, site: Path, tell: Callable[[str], None], opens: bool = True) -> None:
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(folder, site, tell, opens))


async def _serve(folder: Folder, site: Path, tell: Callable[[str], None], opens: bool) -> None:
    loop, stop = asyncio.get_running_loop(), threading.Event()

    def changed() -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(door.tell_pages)

    seat = LearnerSession(folder, changed)
    door = SiteAccess(seat)
    server = listen(door, site)
    events.start_thread(events.watch_files, folder.path, seat.take, stop)
    tell(f"The book is at {door.address}\nCtrl-C ends it; what you write is in {folder.path}/.")
    first = folder.path / PROGRESS_FOLDER / "book.html"
    try:
        with contextlib.suppress(OSError):  # the folder is not writable: the address is printed above
            if opens:
                _write_first_page(folder, first, door.address)
                tell(await asyncio.to_thread(open_in_browser, first))
        await asyncio.Event().wait()
    finally:
        stop.set()
        server.stop()
        with contextlib.suppress(OSError):
            first.unlink()
        seat.training.stop()
        seat.checker.close(QUIT_SECONDS)
        await _say_goodbye(door)
        await server.close_all_connections()


async def _say_goodbye(door: SiteAccess) -> None:
    """Close the pages' connections, and wait a moment for them."""
    for page in [*door.pages]:
        page.close()
    deadline = time.monotonic() + QUIT_SECONDS
    while door.pages and time.monotonic() < deadline:
        await asyncio.sleep(0.01)


def _write_first_page(folder: Folder, path: Path, address: str) -> None:
    """Write a private file that leads to the first visit, because all users can read a browser's arguments."""
    make_folder(folder.path, PROGRESS_FOLDER)
    refresh = f'<meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url={address}">'
    write_whole(path, f"<!doctype html>{refresh}<title>…</title>", 0o600)
