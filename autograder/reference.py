"""Loads the kit's own code: the solutions and the misconceptions."""

import functools
import importlib.util
import inspect
import sys

from autograder import curriculum
from autograder.session import LocalSession


def solution_session(chapter):
    """The chapter's solutions, to be called like an answer."""
    return _session(curriculum.SOLUTIONS / f"{chapter}.py", f"solutions.{chapter}")


def misconception_session(exercise):
    """The known mistakes of an exercise, to be called like answers, and their names in order."""
    path = curriculum.MISCONCEPTIONS / f"{exercise}.py"
    if not path.exists():
        return None, ()
    session = _session(path, f"misconceptions.{exercise}")
    module = session.module
    own = [
        name
        for name, thing in vars(module).items()
        if name[0] != "_" and getattr(thing, "__module__", "") == module.__name__
    ]
    return session, tuple(own)


def lesson_of(exercise, misconception):
    """What a misconception tells the learner: its sentence, and the hint below it if there is one."""
    session, _ = misconception_session(exercise)
    text = inspect.getdoc(getattr(session.module, misconception)) or ""
    sentence, _, hint = text.partition("\n\n")
    return " ".join(sentence.split()), " ".join(hint.split())


def _session(path, name):
    return LocalSession(*load(path, name))


@functools.cache
def load(path, name):
    """The module in a file, run once, no stand-in for it, and the memory of its replies."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if "torch" in sys.modules:  # small matrices gain nothing from more threads, and lose a lot on a busy machine
        sys.modules["torch"].set_num_threads(1)
    return module, None, {}
