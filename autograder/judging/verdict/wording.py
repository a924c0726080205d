"""What one test found, in as many words as there is room for: a reason is read before numbers, and both at a glance.

Nothing is lost: views show the whole call below the picture, and the learner's file holds the line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from autograder.boundary.session import line_of, message_of
from autograder.chapters.text import cut
from autograder.judging.values.show import show_briefly, show_call, show_call_in_short

if TYPE_CHECKING:
    from autograder.judging.verdict.verdict import TestVerdict

ROOM = 300  # characters of all that is said before a picture

# How a call is told, and how much is kept of the line of an error and of its message: the first that fits is taken.
_LADDER = (
    (show_call, 200, 300),
    (show_call, 60, 100),
    (show_call, 0, 60),
    (show_call_in_short, 60, 100),
    (show_call_in_short, 0, 60),
    (show_call_in_short, 0, 30),
    (show_briefly, 0, 60),
    (show_briefly, 0, 0),
)
_LONGEST_CALL = 150  # characters: what is longer is not read


def shorten(test: TestVerdict, room: int = ROOM) -> tuple[str, str]:
    """The call and the finding of a failed test; together within so many characters, where the fewest words are."""
    call, finding = test.call, test.finding
    for show, of_line, of_message in _LADDER:
        call = test.asked.in_words(show) if test.asked else test.call
        finding = _shorten_error(test.finding, test.error, of_line, of_message)
        if len(call) <= _LONGEST_CALL and len(call) + len(finding) < room:
            break
    return call, finding


def _shorten_error(finding: str, error: dict | None, of_line: int, of_message: int) -> str:
    """A finding with less of an error in it: its line in the code, and its message."""
    if not error:
        return finding
    line, message = line_of(error), message_of(error)
    if line:
        finding = finding.replace(f": {line})", f": {cut(line, of_line)})" if of_line else ")")
    kept = f": {cut(message, of_message)}" if of_message else ""
    return finding.replace(f": {message}", kept, 1) if message else finding
