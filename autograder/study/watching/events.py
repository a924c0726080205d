"""What can happen while watching, in one queue: files that were saved, and keys. `checker` puts what was found."""

import threading
import time
from pathlib import Path

import watchfiles

STEP = 20  # milliseconds without a further change after which a save is over
DEBOUNCE = 200  # milliseconds after which it counts even so
LOOK_ANYWAY = 500  # milliseconds after which it is worth a look without news: some disks send none


def watch_files(folder, put, stop):
    """Put the names of changed files, as ``("files", names)``, until told to stop; now and then no name at all.

    The folder may go, come back, or be replaced by another one of its name.
    """
    polling = None
    while not stop.is_set():
        try:
            identity = _identity(folder)
            for changes in watchfiles.watch(
                folder,
                watch_filter=_is_answer,
                debounce=DEBOUNCE,
                step=STEP,
                stop_event=stop,
                rust_timeout=LOOK_ANYWAY,
                yield_on_timeout=True,
                recursive=False,
                force_polling=polling,
            ):
                put(("files", {Path(path).name for _, path in changes}))
                if _identity(folder) != identity:
                    break
        except OSError:  # there is no folder now
            put(("files", set()))
            stop.wait(LOOK_ANYWAY / 1000)
        except RuntimeError:  # the system has no watches left to give
            polling = True


def read_keys(keyboard, put, stop):
    """Put every key, as ``("key", (key, when))``, until told to stop."""
    while not stop.is_set():
        for key in keyboard.read(0.1):
            put(("key", (key, time.monotonic())))
        time.sleep(0.001)  # whoever wants to borrow the keyboard gets it


def start(function, *arguments):
    """Run a function in a thread that does not outlive the program."""
    threading.Thread(target=function, args=arguments, daemon=True).start()


def _identity(folder):
    found = folder.stat()
    return found.st_dev, found.st_ino


def _is_answer(change, path):
    return path.endswith((".py", ".ipynb"))
