"""Reads what somebody handed in, in a worker that is shut in like any other and runs nothing of it.

The grader opens the file, hands over its bytes, and gets plain data back within a deadline. One worker reads file after
file while nothing odd happens; a file over which it ends, or that takes too long, costs its owner alone.
"""

import atexit
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from autograder.boundary.channel import WorkerEnded
from autograder.boundary.zygotes import new_worker
from autograder.chapters.errors import UnreadableAnswer
from autograder.chapters.files import read_plain
from autograder.chapters.text import clean
from autograder.worker.reading.answers import MAX_FILE_BYTES, MAX_SCRIPT_BYTES, AnswerFile, CodeCell
from autograder.worker.reading.examine import Examined
from autograder.worker.reading.notebooks import ARRIVED_AS
from autograder.worker.reading.requests import packed, unpacked
from autograder.worker.small_edits.answers import edits_in

SECONDS = 20.0  # for one file, and for one look at an answer
PIECE_BYTES = 16 << 20
READS = 1000  # requests to one worker: what it has learned of files must not pile up


class _Reader:
    """The worker of this process that reads."""

    def __init__(self):
        self.worker, self.asked = None, 0

    def ask(self, kind, *rest, content=None):
        """The value of a request, about the content of a file where there is one; `UnreadableAnswer` says why not."""
        if self.asked < READS and self.worker is not None:
            try:
                return self._ask(kind, rest, content)
            except (WorkerEnded, RuntimeError) as ended:
                self.close()
                if getattr(ended, "outcome", "") == "timeout":
                    raise _too_much(ended) from None
                # The files before it, or the zygote's end, may be to blame: another one looks at this file alone.
        self.close()
        self.worker, self.asked = new_worker(()), 0
        try:
            return self._ask(kind, rest, content)
        except WorkerEnded as ended:
            self.close()
            raise _too_much(ended) from None

    def _ask(self, kind, rest, content):
        self.asked += 1
        if content is not None:
            for at in range(0, len(content), PIECE_BYTES):
                piece = np.frombuffer(memoryview(content)[at : at + PIECE_BYTES], np.uint8)
                self.worker.ask(["read", "take", piece], SECONDS)
        reply = self.worker.ask(["read", kind, *rest], SECONDS)
        if not isinstance(reply, dict) or not isinstance(reply.get("unreadable", ""), str):
            raise WorkerEnded("killed", "it wrote to the channel that belongs to the grader")
        if "unreadable" in reply:
            raise UnreadableAnswer(reply["unreadable"])
        return reply["value"]

    def close(self):
        """End the worker; the next request starts another."""
        if self.worker is not None:
            self.worker.close()
            self.worker = None


def _too_much(ended):
    late = ended.outcome == "timeout"
    why = f"within {SECONDS:.0f} seconds" if late else f"with what an answer may take (its reader {ended})"
    return UnreadableAnswer(f"cannot be read {why}: hand in the code alone")


_reader = _Reader()


@atexit.register
def close_reader():
    """End the worker that reads."""
    _reader.close()


def open_handed_in(path):
    """The bytes of a file that somebody handed in; `UnreadableAnswer` names it and says why there are none."""
    path, shown = Path(path), clean(path)
    if path.suffix not in (".py", ".ipynb"):
        raise UnreadableAnswer(f"{shown} is neither a script (.py) nor a notebook (.ipynb)")
    return read_plain(path, MAX_FILE_BYTES if path.suffix == ".ipynb" else MAX_SCRIPT_BYTES)


def read_handed_in(path, content=None):
    """The answer in a file that somebody handed in, and the names that it defines.

    Parameters
    ----------
    path : path-like
    content : bytes, optional
        What `open_handed_in` gave, where it was opened elsewhere.

    Returns
    -------
    (AnswerFile, set of str)

    Raises
    ------
    UnreadableAnswer
        With a sentence that names the file.
    """
    content, path = open_handed_in(path) if content is None else content, Path(path)
    is_notebook = path.suffix == ".ipynb"
    with _naming(path):
        value = _reader.ask(*(["notebook"] if is_notebook else ["script", path.name]), content=content)
        return AnswerFile(str(path), _cells(value), is_notebook), set(map(str, value["names"]))


def examined(answer, chapter):
    """The answer with all that has to be known of it to judge it on a chapter; nothing of it is parsed after that.

    Raises
    ------
    UnreadableAnswer
    """
    if not answer.cells:
        return answer
    exercises = [(each.name, each.stub, list(each.bans)) for each in chapter.exercises]
    with _naming(answer.path):
        found = _reader.ask("examine", _packed(answer.cells), answer.notebook, exercises)
        kept = tuple(answer.cells[number] for number in found["kept"])
        return Examined(answer.path, kept, answer.notebook, found)


def edits_of(answer, name, others):
    """The small edits of an answer to an exercise: see `edits_of_answer`; none where it cannot be read.

    Returns
    -------
    list of AnswerEdit
    """
    try:
        return edits_in(_reader.ask("edits", _packed(answer.cells), name, list(others)))
    except (UnreadableAnswer, TypeError, ValueError):
        return []


def notebook_answer(path, cells):
    """The answer that code cells of a notebook give, magics as the calls that a worker ignores.

    Parameters
    ----------
    path : str
    cells : list of CodeCell

    Raises
    ------
    UnreadableAnswer
    """
    with _naming(path):
        return AnswerFile(path, _cells(_reader.ask("plain", _packed(cells))), True)


def read_notebook(path):
    """The cells of a notebook that was handed in, and why there is nothing to grade: see `bare_cells`."""
    try:
        value = _reader.ask("bare", content=read_plain(path, MAX_FILE_BYTES))
    except UnreadableAnswer as error:
        return [], clean(error)
    return _bare(value), str(value["why"])


def read_any(path):
    """The cells in a file under any name, why there are none, and the names that they define: see `cells_of_file`."""
    try:
        value = _reader.ask("file", Path(path).suffix.lower() == ".py", content=read_plain(path, MAX_FILE_BYTES))
    except UnreadableAnswer as error:
        return [], clean(error), ()
    return _bare(value), str(value["why"]), set(map(str, value["names"]))


def is_made(path):
    """Whether a notebook is one that the kit made of what was handed in."""
    try:
        content = read_plain(path, MAX_FILE_BYTES)
        return ARRIVED_AS.encode() in content and _reader.ask("is_made", content=content) is True
    except UnreadableAnswer:
        return False


@contextmanager
def _naming(path):
    try:
        yield
    except UnreadableAnswer as error:
        raise UnreadableAnswer(f"{clean(path)} {clean(error)}") from None


def _packed(cells):
    return packed([(cell.place, cell.line, cell.source) for cell in cells])


def _cells(value):
    return tuple(CodeCell(str(place), int(line), source) for place, line, source in unpacked(value["cells"]))


def _bare(value):
    return [(str(kind), dict(marks), source) for kind, marks, source in unpacked(value["cells"])]
