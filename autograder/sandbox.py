"""How a worker is started and what it may use.

Today: an isolated interpreter, a scrubbed environment, a private folder, and limits on memory, file size and core
dumps. A full sandbox takes its place here, behind the same two functions.
"""

import os
import sys
from pathlib import Path

from autograder.curriculum import EXERCISES

WORKER = Path(__file__).parent / "worker"
GIVEN = EXERCISES / "given"  # data and loaders that chapters hand out: an answer may import them
MEMORY_BYTES = 4 << 30
FILE_BYTES = 64 << 20

# One thread a worker: many workers share the machine, and small matrices gain nothing from more.
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
_PASSED_ON = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT")


def command(libraries=()):
    """The command line of a worker that imports some libraries at once."""
    # Package folders are added by hand (-S), so that no .pth file can put this repository on the worker's path.
    packages = [folder for folder in sys.path if Path(folder).name in ("site-packages", "dist-packages")]
    limits = f"{MEMORY_BYTES},{FILE_BYTES}"
    return [sys.executable, "-I", "-S", "-u", str(WORKER), limits, ",".join(libraries), str(GIVEN), *packages]


def environment(folder):
    """The whole environment of a worker whose private folder is given."""
    kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    home = dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP", "MPLCONFIGDIR"), folder)
    return kept | home | dict.fromkeys(_THREADS, "1") | {"MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1"}
