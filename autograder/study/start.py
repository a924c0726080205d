"""Creation and update of a learner's folder.

Copies of the handed-out files are kept in ``exercises/.attn/handed_out/``. In an update, unchanged files are replaced.
All other files stay as they are, and their new version is written next to them.
"""

import errno
import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from autograder.boundary.sandbox import GIVEN
from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import InputError, UnreadableAnswer, reason_of
from autograder.chapters.files import make_folder, read_plain, write_file
from autograder.chapters.stubs import make_stub
from autograder.study.folder import PROGRESS_FOLDER
from autograder.study.reset import replace_with_backup
from autograder.worker.reading.answers import MAX_FILE_BYTES

ANSWERS = "exercises"
_FILES = Path(__file__).parent / "start_files"
_NAMES = {"README.md": "README.md", "gitignore": ".gitignore", "vscode.json": ".vscode/settings.json"}
_NAMES |= {"editorconfig": ".editorconfig"}
_NEW_VERSION = ".new"  # added to a file's name, so that nothing takes the new version for an answer
_SAID = {
    "new": "new: {}",
    "renewed": "updated: {}",
    "kept": "kept as it is: {0}. Its new version is {0}" + _NEW_VERSION,
    "left": "left unchanged: {}",
}


def read_handouts() -> dict[str, str]:
    """Return path in the learner's folder -> text of the newest version, for all files that learners get."""
    texts = {f"{ANSWERS}/{name}.py": make_stub(read_chapter(name)) for name in curriculum.CHAPTERS}
    for path in sorted(GIVEN.iterdir()):
        if path.suffix in (".py", ".txt"):
            texts[f"{ANSWERS}/{GIVEN.name}/{path.name}"] = path.read_text(encoding="utf-8")
    return texts | {place: (_FILES / name).read_text(encoding="utf-8") for name, place in _NAMES.items()}


def start(folder: Path, handouts: dict[str, str]) -> dict[str, str]:
    """Create or update a learner's folder. Return file -> "new", "same", "renewed", "kept" or "left".

    Raises `InputError` if the folder is the clone or not writable.
    """
    if folder.resolve() == curriculum.ROOT.resolve():
        raise InputError(f"{folder} is the kit itself, and exercises/ in it is ready: attn watch")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return {name: _hand_out(folder, name, text) for name, text in handouts.items()}
    except OSError as error:
        raise InputError(f"{error.filename or folder} cannot be written: {reason_of(error)}") from None


def _hand_out(folder: Path, name: str, text: str) -> str:
    path, record = folder / name, folder / ANSWERS / PROGRESS_FOLDER / "handed_out" / name
    new_version = path.with_name(path.name + _NEW_VERSION)
    try:
        own_text, old_text, _ = (_read(folder, place) for place in (path, record, new_version))
    except (UnreadableAnswer, UnicodeError):
        return "left"
    if own_text is None and path.parent == folder / ANSWERS and path.with_suffix(".ipynb").exists():
        return "left"  # The learner has a notebook instead of the script.
    outcome = "same"
    if own_text != text and (not (own_text or "").strip() or own_text == old_text):
        outcome = "renewed" if own_text else "new"
        write_file(path, text)
    elif text not in (own_text, old_text):
        outcome = "kept"
        replace_with_backup(new_version, text)
    if old_text != text:
        write_file(record, text)
    return outcome


def _read(folder: Path, path: Path) -> str | None:
    """Return a file's text, or None if it is missing. Raises `UnreadableAnswer` for a link, pipe or folder."""
    try:
        make_folder(folder, path.parent.relative_to(folder))
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EEXIST):
            raise UnreadableAnswer(f"{path} cannot be read: {reason_of(error)}") from None
        raise
    if not os.path.lexists(path):
        return None
    return read_plain(path, MAX_FILE_BYTES).decode("utf-8-sig").replace("\r\n", "\n")


def summarise(folder: Path, outcomes: dict[str, str]) -> Iterator[str]:
    names = {kind: [name for name, outcome in outcomes.items() if outcome == kind] for kind in (*_SAID, "same")}
    chapters = [name for name in names["new"] if Path(name).match(f"{ANSWERS}/*.py")]
    if len(names["new"]) == len(outcomes):
        yield f"{folder} is ready: {len(chapters)} chapters in {folder / ANSWERS}, and README.md says how to continue."
    elif len(names["same"]) == len(outcomes):
        yield f"{folder} is up to date already. Nothing was changed."
    else:
        for kind, sentence in _SAID.items():
            yield from (sentence.format(folder / name) for name in names[kind])
        if names["kept"]:
            yield f"Copy what you want from each {_NEW_VERSION} file into your own file, then delete it."
    activate = Path(sys.executable).with_name("activate")
    if shutil.which("attn") is None and activate.is_file():
        yield f"First, once in a terminal, so that it knows attn: {'. ' * (os.name != 'nt')}{_shell_quote(activate)}"
    go_there = "" if folder.resolve() == Path.cwd() else f"cd {_shell_quote(folder)} && "
    yield f"Now: {go_there}attn book"
    yield "Or, next to your own editor: attn watch"


def _shell_quote(path: Path) -> str:
    return f'"{path}"' if os.name == "nt" and " " in str(path) else shlex.quote(str(path))
