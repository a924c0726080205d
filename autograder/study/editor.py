"""Functions that open files for a learner: in an editor, in the browser and in JupyterLab."""

import contextlib
import io
import itertools
import os
import shlex
import shutil
import signal
import subprocess
import sys
import webbrowser
from collections.abc import Iterator
from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.errors import UnreadableAnswer
from autograder.chapters.files import read_plain, write_file
from autograder.study.watching.events import Keyboard
from autograder.worker.reading.answers import MAX_SCRIPT_BYTES
from autograder.worker.reading.cells import read_cells

_GOTO = ("code", "codium", "cursor", "windsurf")  # editors that take --goto file:line
_COLON = ("subl", "zed", "hx", "micro")  # editors that take file:line; all others take +line file


def make_editor_command(editor: str, path: str, line: str) -> list[str]:
    """Return the command that opens a file at a line. `editor` may contain options, like ``$EDITOR``."""
    command = shlex.split(editor)
    name = Path(command[0]).stem
    if name in _GOTO:
        return [*command, "--goto", f"{path}:{line}"]
    return [*command, f"{path}:{line}"] if name in _COLON else [*command, f"+{line}", path]


def open_in_editor(place: str, keyboard: Keyboard) -> str:
    """Open an editor at ``file:line`` and wait until it is closed. Return a sentence if that fails, otherwise ""."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or _find_surrounding_editor()
    if not editor:
        return "No editor is set: put `export EDITOR=nano`, or another one, into your shell's profile."
    path, _, line = place.rpartition(":")
    try:
        with keyboard.lend():
            subprocess.run(make_editor_command(editor, path, line), check=False)
    except (OSError, ValueError, IndexError) as error:
        return f"The editor {editor!r} cannot be started: {error}."
    return ""


def _find_surrounding_editor() -> str:
    """Return the command of the editor in whose terminal this process runs, such as "code", or ""."""
    is_vscode = os.environ.get("TERM_PROGRAM") == "vscode"  # Editors derived from VS Code set this, too.
    return next(filter(shutil.which, _GOTO), "") if is_vscode else ""


def open_in_browser(path: Path) -> str:
    """Open a file in the browser. Return a sentence for the learner, on success and on failure."""
    address = path.resolve().as_uri()
    try:
        is_open = webbrowser.open(address)
    except webbrowser.Error:
        is_open = False
    return f"Opened in the browser: {path}" if is_open else f"Open this in a browser: {address}"


SETTINGS = curriculum.PACKAGE / "classroom" / "lab"
# Unlike `-m`, this imports nothing from the folder that it is started in.
_LAB = "import sys; sys.path.remove(''); from jupyterlab.labapp import main; main()"


def open_lab(folder: Path, is_course: bool) -> int:
    """Run JupyterLab in a folder, with nbgrader's tools in a course, and return its exit code.

    Jupyter runs any configuration file in its working directory, so only a course's folder is used as such.
    """
    if not folder.is_dir():
        raise UnreadableAnswer(f"{folder} is not a folder: attn lab DIR opens the folder DIR")
    for sentence in mark_code_below_prose(folder):
        print(sentence)
    settings = [SETTINGS] if is_course else [SETTINGS, SETTINGS / "without_nbgrader"]
    environment = os.environ | {
        "JUPYTER_CONFIG_PATH": _join_paths(*settings, os.environ.get("JUPYTER_CONFIG_PATH")),
        "PATH": _join_paths(Path(sys.executable).parent, os.environ.get("PATH")),
    }
    signal.signal(signal.SIGINT, lambda *_: None)  # JupyterLab itself handles Ctrl-C.
    root_option = f"--ServerApp.root_dir={folder.resolve()}"
    command = [sys.executable, "-c", _LAB, "--Application.log_level=ERROR", root_option]
    return subprocess.call(command, cwd=folder if is_course else SETTINGS, env=environment)


def mark_code_below_prose(folder: Path) -> Iterator[str]:
    """Insert missing `# %%` markers below prose, where JupyterLab takes code for text. Yield a sentence for each."""
    for path in (folder / f"{name}.py" for name in curriculum.CHAPTERS):
        with contextlib.suppress(UnreadableAnswer, UnicodeError, OSError):
            content = read_plain(path, MAX_SCRIPT_BYTES)
            lines = io.StringIO(content.decode("utf-8"), newline="").readlines()
            cells = read_cells("".join(lines))
            pairs = [(prose, cell) for prose, cell in itertools.pairwise(cells) if prose.kind == "markdown"]
            if places := [cell.line for _, cell in pairs if not cell.raw.startswith("# %%")]:
                for line in reversed(places):
                    lines.insert(line - 1, "# %%\n")
                write_file(path, "".join(lines), replaces=content)
                yield from (f"{path}:{line}: added `# %%` above this code, so that it is not text." for line in places)


def _join_paths(*paths: Path | str | None) -> str:
    return os.pathsep.join(str(path) for path in paths if path)
