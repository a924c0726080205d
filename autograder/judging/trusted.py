"""The kit's own answers, solutions and misconceptions: asked in a worker of their own, like a learner's.

So the grader imports no torch, and a mistake is made again under the very conditions of the answer. Suites ask the
same of them for every answer, which is why they remember what they replied.
"""

import ast
import hashlib
import inspect

from autograder.boundary.channel import WorkerEnded
from autograder.boundary.session import Asked
from autograder.boundary.zygotes import new_worker
from autograder.chapters import curriculum
from autograder.chapters.answers import script_answer
from autograder.chapters.chapter import slow_libraries
from autograder.chapters.errors import SuiteFault

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
    """

    def __init__(self, source, stand_in=None):
        self.source, self.stand_in = source, stand_in
        self.restart()

    def restart(self):
        """Forget what was asked: a new test begins."""
        self._led_here, self._asked, self._done = b"", [], 0

    def standing_in(self, name):
        """The same with one function in place of whatever is asked for."""
        return TrustedSession(self.source, name)

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
        try:
            return self._ask_all()
        except (WorkerEnded, RuntimeError):  # its processor time is used up, or its zygote has gone: begin again
            self.source.close()
            return self._ask_all()

    def _ask_all(self):
        if self.source.begin(self):
            self._done = 0
        while self._done < len(self._asked):
            reply = self.source.worker.ask(self._asked[self._done], SECONDS)
            self._done += 1
        return reply


class TrustedFile:
    """One file in one worker, used by one session at a time."""

    def __init__(self, path):
        text = path.read_text(encoding="utf-8")
        self.path, self.answer, self.libraries = path, script_answer(str(path), text), slow_libraries([text])
        self.lessons = _lessons(text)
        self.memory, self.worker, self.session = {}, None, None

    def begin(self, session):
        """Make the worker this session's; whether it has to start from the beginning."""
        if self.worker is None:
            self.worker, self.session = new_worker(self.libraries), None
            cells = [(cell.place, cell.line, cell.source) for cell in self.answer.cells]
            errors = self.worker.ask(["load", cells, False], SECONDS)["errors"]
            if any(errors):
                error = next(filter(None, errors))
                raise SuiteFault(f"{self.path} cannot be run: {error['type']}: {error['message']}")
        if self.session is session and session._done:
            return False
        self.worker.ask(["forget"], SECONDS)
        self.session = session
        return True

    def close(self):
        """End the worker; the next request starts another."""
        if self.worker is not None:
            self.worker.close()
        self.worker = self.session = None


def solution_session(chapter):
    """The chapter's solutions, to be called like an answer."""
    return TrustedSession(_file(curriculum.solution_of(chapter)))


def misconception_session(exercise):
    """The known mistakes of an exercise, to be called like answers, and their names in order."""
    path = curriculum.misconceptions_of(exercise)
    if not path.exists():
        return None, ()
    return TrustedSession(_file(path)), tuple(_file(path).lessons)


def lesson_of(exercise, misconception):
    """What a misconception tells the learner: its sentence, and the hint below it if there is one."""
    sentence, _, hint = _file(curriculum.misconceptions_of(exercise)).lessons[misconception].partition("\n\n")
    return " ".join(sentence.split()), " ".join(hint.split())


_files = {}


def _file(path):
    if path not in _files:
        _files[path] = TrustedFile(path)
    return _files[path]


def forget_files():
    """Read every file anew when it is next asked for."""
    while _files:
        _files.popitem()[1].close()


def _lessons(text):
    """Name -> docstring of each function and class, those that start with an underscore aside."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    found = [node for node in ast.parse(text).body if isinstance(node, kinds) and node.name[0] != "_"]
    return {node.name: inspect.cleandoc(ast.get_docstring(node) or "") for node in found}
