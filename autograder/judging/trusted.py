"""The kit's own answers, solutions and misconceptions: asked in a worker of their own, like a learner's.

So the grader imports no torch, and a mistake is made again under the very conditions of the answer. Suites ask the
same of them for every answer, which is why they remember what they replied.
"""

import contextlib
import hashlib

from autograder.boundary.channel import WorkerEnded
from autograder.boundary.session import Asked
from autograder.boundary.zygotes import new_worker
from autograder.chapters import curriculum
from autograder.chapters.answers import script_answer
from autograder.chapters.chapter import read_chapter, slow_libraries
from autograder.chapters.errors import SuiteFault
from autograder.judging.edits import StaleEdit, mistaken
from autograder.judging.misconceptions import read_misconceptions

SECONDS = 120.0  # for one request: longer means that our side is broken


class TrustedSession(Asked):
    """A file of the kit, asked like an answer.

    A reply is known again by the requests that led to it since the last `restart`, and nothing is computed until a
    request comes that is new.

    Parameters
    ----------
    source : TrustedFile
    stand_in : str, optional
        A function of the file to call whatever name is asked for: a misconception, judged like an answer.
    given : sequence of list
        Requests that come before all others.
    """

    def __init__(self, source, stand_in=None, given=()):
        self.source, self.stand_in, self.given = source, stand_in, given
        self.restart()

    def restart(self):
        """Forget what was asked: a new test begins."""
        self._led_here, self._asked, self._done = b"", [*self.given], 0

    def ready_for(self, name):
        """Run the file, where that has not been done; `SuiteFault` where it cannot be run."""
        if self.source.worker is None:
            self.source.begin(self)

    def standing_in(self, name):
        """The same with one function in place of whatever is asked for."""
        return TrustedSession(self.source, name)

    def defining(self, name, exercise, source):
        """The same with another source of an exercise in place of whatever is asked for, under a name of its own."""
        return TrustedSession(self.source, name, [["call", "_define", [name, exercise, source], {}]])

    def ask(self, request, seconds, call):
        """Do a request of `Runner.answer`'s, made for a call."""
        kind, target, *rest = request
        if self.stand_in and isinstance(target, str):
            target = self.stand_in
        asked = f"{kind} {target}".encode() + (b"" if kind == "again" else call.inputs)
        self._led_here = hashlib.blake2b(self._led_here + asked, digest_size=16).digest()
        self._asked.append([kind, target, *rest])
        known = self.source.memory
        if self._led_here not in known:
            known[self._led_here] = self._catch_up()
        return known[self._led_here]

    def _catch_up(self):
        """Make every request that has not been made yet; the last reply."""
        return self.source.surely(self._ask_all)

    def _ask_all(self):
        if self.source.begin(self):
            self._done = 0
        while self._done < len(self._asked):
            reply = self.source.worker.ask(self._asked[self._done], SECONDS)
            self._done += 1
        return reply


class TrustedFile:
    """Cells of the kit in one worker, used by one session at a time.

    Parameters
    ----------
    cells : list of (str, int, str)
        Place, first line and source, as `Runner.load` takes them.
    names : tuple of str
        Those that are known mistakes.
    """

    def __init__(self, cells, names=()):
        self.names = names
        self.cells, self.libraries = cells, slow_libraries(source for *_, source in cells)
        self.memory, self.worker, self.session = {}, None, None

    def begin(self, session):
        """Hand the worker over to a session.

        Returns
        -------
        bool
            True where the session has to make all of its requests again: the worker is new, or another session had it.
        """
        if self.worker is None:
            self.worker, self.session = new_worker(self.libraries), None
            errors = self.worker.ask(["load", self.cells, False], SECONDS)["errors"]
            for (place, *_), error in zip(self.cells, errors, strict=True):
                if error:
                    raise SuiteFault(f"{place} cannot be run: {error['type']}: {error['message']}")
        if self.session is session and session and session._done:
            return False
        self.worker.ask(["forget"], SECONDS)
        self.session = session
        return True

    def surely(self, ask):
        """What asking comes to; where the worker ends meanwhile, in a new one once more."""
        try:
            return ask()
        except (WorkerEnded, RuntimeError):  # its processor time is used up, or its zygote has gone
            self.close()
            return ask()

    def close(self):
        """End the worker; the next request starts another."""
        if self.worker is not None:
            self.worker.close()
        self.worker = self.session = None


def solution_session(chapter):
    """The chapter's solutions, to be called like an answer."""
    return TrustedSession(_file(curriculum.solution_of(chapter), lambda: TrustedFile(_solution_cells(chapter))))


def spare_solutions(chapter):
    """The same in a worker of their own, for what the code of answers wishes for."""
    return _file(f"spare/{chapter}", lambda: TrustedFile(_solution_cells(chapter)))


def misconception_session(exercise):
    """The known mistakes of an exercise, to be called like answers, and their names in order.

    They run in the exercise's chapter, below its solutions. An edit that does not apply is left out: `attn stubs
    --check` says so.

    Parameters
    ----------
    exercise : autograder.chapters.chapter.Exercise
    """
    file = _file(curriculum.misconceptions_of(exercise.name), lambda: _mistakes_file(exercise))
    return TrustedSession(file) if file.names else None, file.names


def evaluate(chapter, given, expressions, mistake=None):
    """What expressions come to where the chapter's solutions, or one of them with a known mistake, are at hand.

    Parameters
    ----------
    chapter : str
    given : str
        Code that runs first.
    expressions : sequence of str
    mistake : tuple of (str, str), optional
        An exercise of the chapter, and its misconception.

    Returns
    -------
    list of tuple or float
    """
    instead = ""
    if mistake:
        exercise, misconception = mistake
        instead = mistaken(read_chapter(chapter).exercise(exercise), misconception)
    file = _file(f"questions/{chapter}.py", lambda: _questions_file(chapter))

    def ask():
        file.begin(None)
        return file.worker.ask(["call", "_values", [instead, given, list(expressions)], {}], SECONDS)

    reply = file.surely(ask)
    if reply.get("error"):
        raise SuiteFault(f"a question on {chapter} cannot be computed: {reply['error']['message']}")
    return reply["value"]


def lesson_of(exercise, misconception, is_all=True):
    """What a misconception tells the learner: its sentence, its hint and its rule; the last two may be empty.

    Parameters
    ----------
    exercise, misconception : str
        Names.
    is_all : bool
        Whether it is all that is wrong: of an answer with another mistake nothing is said to be right.
    """
    mistake = read_misconceptions(exercise)[misconception]
    return mistake.sentence if is_all else mistake.sentence_alone, mistake.hint, mistake.rule


def _solution_cells(chapter):
    path = curriculum.solution_of(chapter)
    cells = script_answer(str(path), path.read_text(encoding="utf-8")).cells
    return [(str(path), cell.line, cell.source) for cell in cells]


def _mistakes_file(exercise):
    """The chapter, and for each known mistake a copy of it in which the exercise is made with that mistake."""
    place, names = str(curriculum.misconceptions_of(exercise.name)), []
    cells = [*_solution_cells(exercise.chapter), (place, 1, _DEFINE)]
    for name in read_misconceptions(exercise.name):
        with contextlib.suppress(StaleEdit):
            source = mistaken(exercise, name)
            cells.append((f"{place}: {name}", 1, f"_define({name!r}, {exercise.name!r}, {source!r})"))
            names.append(name)
    return TrustedFile(cells, tuple(names))


_DEFINE = """
def _define(name, exercise, source):
    names = dict(globals())
    exec(source, names)
    globals()[name] = names[exercise]
"""

_VALUES = """
def _values(instead, given, expressions):
    names = dict(globals())
    exec(instead, names)
    exec(given, names)
    found = [eval(each, names) for each in expressions]
    return [each if isinstance(each, tuple) else float(each) for each in found]
"""


def _questions_file(chapter):
    """The chapter without its pictures, which take seconds to import what they need, and how questions are computed."""
    cells = [cell for cell in _solution_cells(chapter) if "seaborn" not in slow_libraries([cell[-1]])]
    return TrustedFile([*cells, (f"questions/{chapter}.py", 1, _VALUES)])


_files = {}


def _file(place, make):
    if place not in _files:
        _files[place] = make()
    return _files[place]


def forget_files():
    """Read every file anew when it is next asked for."""
    while _files:
        _files.popitem()[1].close()
