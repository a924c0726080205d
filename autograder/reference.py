"""Loads the kit's own code: the solutions and the misconceptions."""

import functools
import importlib.util
import inspect

from autograder import curriculum
from autograder.session import LocalSession


def solution_session(chapter):
    """The chapter's solutions, to be called like an answer. Every session is new: it keeps what its calls returned."""
    return LocalSession(load(curriculum.SOLUTIONS / f"{chapter}.py", f"solutions.{chapter}"))


def misconception_session(exercise):
    """The known mistakes of an exercise, to be called like answers, and their names in order."""
    path = curriculum.MISCONCEPTIONS / f"{exercise}.py"
    if not path.exists():
        return None, ()
    module = load(path, f"misconceptions.{exercise}")
    own = [
        name
        for name, thing in vars(module).items()
        if name[0] != "_" and getattr(thing, "__module__", "") == module.__name__
    ]
    return LocalSession(module), tuple(own)


def lesson_of(exercise, misconception):
    """What a misconception tells the learner: its sentence, and the hint below it if there is one."""
    session, _ = misconception_session(exercise)
    text = inspect.getdoc(getattr(session.runner.module, misconception)) or ""
    sentence, _, hint = text.partition("\n\n")
    return " ".join(sentence.split()), " ".join(hint.split())


@functools.cache
def load(path, name):
    """The module in a file, run once."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
