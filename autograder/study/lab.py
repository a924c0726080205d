"""`attn lab`: JupyterLab with the settings that make a chapter's script a notebook."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.errors import UnreadableAnswer

SETTINGS = curriculum.PACKAGE / "classroom" / "lab"


def open_lab(folder: Path) -> int:
    """Show a folder in JupyterLab until it is left, with nbgrader's tools in a course; return its exit code."""
    if not folder.is_dir():
        raise UnreadableAnswer(f"{folder} is no folder here: attn lab DIR opens the folder DIR")
    settings = [SETTINGS] if (folder / "nbgrader_config.py").exists() else [SETTINGS, SETTINGS / "without_nbgrader"]
    environment = os.environ | {
        "JUPYTER_CONFIG_PATH": _join_paths(*settings, os.environ.get("JUPYTER_CONFIG_PATH")),
        "PATH": _join_paths(Path(sys.executable).parent, os.environ.get("PATH")),
    }
    signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl-C is JupyterLab's, which asks
    first = next((name for name in curriculum.CHAPTERS if (folder / f"{name}.py").is_file()), None)
    opens = [f"--LabApp.default_url=/lab/tree/{first}.py"] if first else []
    command = [sys.executable, "-m", "jupyterlab", "--Application.log_level=ERROR", *opens]
    return subprocess.call(command, cwd=folder, env=environment)


def _join_paths(*paths: Path | str | None) -> str:
    return os.pathsep.join(str(path) for path in paths if path)
