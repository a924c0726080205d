"""Makes a learner's folder, or brings one to this version: what was written alone is left alone.

What was handed out is kept beside the progress, in ``exercises/.attn/handed_out/``. A file that is still what was
handed out is replaced; a chapter in which something was written is merged; any other changed file stays as it is.
"""

from dataclasses import dataclass
from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.errors import InputError, why
from autograder.chapters.files import write_whole
from autograder.study.folder import KEPT
from autograder.study.reset import replace
from autograder.study.start.handouts import ANSWERS
from autograder.study.start.merge import CannotMerge, merged


class CannotStart(InputError):
    """A folder that cannot be made or written."""


@dataclass(frozen=True)
class Outcome:
    """What became of one file.

    Attributes
    ----------
    name : str
        Its path in the folder.
    what : str
        "new", "same", "renewed", "merged" or "left".
    backup : pathlib.Path or None
        Where a chapter is kept as it was before it was merged.
    """

    name: str
    what: str
    backup: Path | None = None


def start(folder, handouts):
    """Write what is new into a learner's folder.

    Parameters
    ----------
    folder : pathlib.Path
        Made where it does not exist.
    handouts : dict
        Path in it -> text.

    Returns
    -------
    list of Outcome
        One for each file.

    Raises
    ------
    CannotStart
        Where the folder cannot be written, or is the kit's own.
    """
    if folder.resolve() == curriculum.ROOT.resolve():
        raise CannotStart(f"{folder} is the kit itself, and exercises/ in it is ready: attn watch")
    try:
        return [_hand_out(folder, name, text) for name, text in handouts.items()]
    except OSError as error:
        raise CannotStart(f"{error.filename or folder} cannot be written: {why(error)}") from None


def _hand_out(folder, name, text):
    path, record = folder / name, folder / ANSWERS / KEPT / "handed_out" / name
    outcome, is_chapter = Outcome(name, "left"), path.parent == folder / ANSWERS
    try:
        before, mine = _read(record), _read(path)
    except UnicodeError:
        return outcome
    if is_chapter and mine is None and path.with_suffix(".ipynb").exists():
        return outcome  # a notebook in its place
    if mine == text:
        outcome = Outcome(name, "same")
    elif not (mine or "").strip() or mine == before:
        outcome = Outcome(name, "renewed" if mine else "new")
        _write(path, text)
    elif before is None:
        return outcome  # nobody knows what it was made from
    elif before == text:
        return Outcome(name, "same")
    elif is_chapter:
        try:
            outcome = Outcome(name, "merged", replace(path, merged(before, mine, text)))
        except CannotMerge:
            return outcome  # and the record stays: a later version may fit
    if before != text:
        _write(record, text)
    return outcome


def _read(path):
    return path.read_text(encoding="utf-8-sig") if path.exists() else None


def _write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text)
