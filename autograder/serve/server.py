"""The server of `attn book`, which runs until Ctrl-C."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from pathlib import Path

from autograder.chapters.files import make_folder, write_file
from autograder.serve.learner_session import LearnerSession
from autograder.serve.site import SiteAccess, listen
from autograder.study.editor import open_in_browser
from autograder.study.folder import PROGRESS_FOLDER, Folder
from autograder.study.watching import events

QUIT_SECONDS = 0.5


def serve(folder: Folder, site: Path, tell: Callable[[str], None], opens_browser: bool = True) -> None:
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(folder, site, tell, opens_browser))


async def _serve(folder: Folder, site: Path, tell: Callable[[str], None], opens_browser: bool) -> None:
    loop, stop = asyncio.get_running_loop(), threading.Event()

    def notify_pages() -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(access.notify_pages)

    session = LearnerSession(folder, notify_pages)
    access = SiteAccess(session)
    server = listen(access, site)
    events.start_thread(events.watch_files, folder.path, session.handle_event, stop)
    tell(f"The book is at {access.address}\nCtrl-C ends it; what you write is in {folder.path}/.")
    first = folder.path / PROGRESS_FOLDER / "book.html"
    try:
        # If the folder is not writable, the user can still open the printed address.
        with contextlib.suppress(OSError):
            if opens_browser:
                _write_first_page(folder, first, access.address)
                tell(await asyncio.to_thread(open_in_browser, first))
        await asyncio.Event().wait()
    finally:
        stop.set()
        server.stop()
        with contextlib.suppress(OSError):
            first.unlink()
        session.training.stop()
        session.checker.close(QUIT_SECONDS)
        for page in [*access.pages]:
            page.close()
        await server.close_all_connections()


def _write_first_page(folder: Folder, path: Path, address: str) -> None:
    """Write a private file that redirects to `address`, which a browser's command line would show to other users."""
    make_folder(folder.path, PROGRESS_FOLDER)
    refresh = f'<meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url={address}">'
    write_file(path, f"<!doctype html>{refresh}<title>…</title>", 0o600)
