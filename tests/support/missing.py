"""What a machine may lack: a test that needs it is skipped, with the command that brings it; with CI=true it fails."""

import os

import pytest

NEEDED = {
    "bubblewrap": ("bubblewrap, and leave to use it", "apt-get install bubblewrap"),
    "chromium": ("Chromium", "apt-get install chromium"),
    "postgresql": ("a PostgreSQL server", "apt-get install postgresql"),
    "minilm": ("the weights of the sentence encoder", "make minilm"),
    "index": (
        "a package index",
        "pip config set global.index-url ADDRESS",
    ),
    "setup": ("the environment that the Makefile makes", "make setup"),
    "setpriv": ("setpriv, to become an ordinary user", "apt-get install util-linux"),
}


def require(what, is_there, found=""):
    """Skip the test that calls this where something is not there.

    Parameters
    ----------
    what : str
        A key of `NEEDED`.
    is_there : bool
    found : object, optional
        What came of looking for it.
    """
    if is_there:
        return
    name, command = NEEDED[what]
    reason = f"needs {name}: {command}"
    if os.environ.get("CI") == "true":
        pytest.fail(f"{reason} {found or ''}".strip(), pytrace=False)
    pytest.skip(reason)
