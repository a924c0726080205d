"""A wrong call that is right where no other was made before it: the answer keeps something between its calls."""

from autograder.boundary.session import Refused
from autograder.judging.asking import Answer
from autograder.judging.calls import Call
from autograder.judging.values.compare import Mismatch, compare

_SENTENCE = "Made alone, this call is right: something is kept from the calls before it."


def alone(exercise, session, shown):
    """The sentence where it is true of the call that is shown; else an empty string.

    Parameters
    ----------
    exercise : autograder.chapters.chapter.Exercise
    session : autograder.boundary.session.Session
        It begins in a new process, where nothing has been asked of the answer.
    shown : autograder.judging.calls.Call or None
    """
    if shown is None or shown.kind != "call" or shown.wanted is None:
        return ""
    if not shown.error and _is_right(shown.value, shown.wanted):
        return ""  # it is something else that was wrong
    answer = Answer.of(exercise, session)
    session.start_afresh()
    try:
        of = shown.of and answer.take(Call(shown.name, shown.of.args, shown.of.kwargs)).call
        if of and of.error:
            return ""
        again = answer.take(Call(shown.name, shown.args, shown.kwargs, of, shown.method)).call
    except Refused:
        return ""
    return _SENTENCE if not again.error and _is_right(again.value, shown.wanted) else ""


def _is_right(value, wanted):
    try:
        compare(value, wanted)
    except Mismatch:
        return False
    return value is not None
