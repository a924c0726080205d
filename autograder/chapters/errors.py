"""Errors outside of an answer. An answer's own errors are verdicts, never these exceptions.

Every message is a sentence that names the file and the next step.
"""

WRONG, UNREADABLE, FAULT = 1, 2, 3  # exit codes: an exercise is wrong, unusable input, internal error
OURS = "An internal error, not caused by your answers: "


class KitError(Exception):
    """The base class of all errors of the kit."""


class InputError(KitError):
    """Unusable input: the user named or wrote something wrong. Exit code 2."""


class UnreadableAnswer(InputError):
    """An answer that cannot be read."""


class UnknownName(InputError):
    """A name that is neither a chapter nor an exercise."""


class CourseError(InputError):
    """A folder that is not a course, or a course that cannot be built."""


class RecordError(InputError):
    """A record that cannot be written."""


class MissingExtra(InputError):
    """A library that a light install leaves out."""


class NoSandbox(InputError):
    """Other people's code would run without a sandbox."""


class KitFault(KitError):
    """An internal error: something in the kit is broken. Exit code 3."""


class ChapterError(KitFault):
    """A chapter that breaks the rules of docs/author.md."""


class SuiteFault(KitFault):
    """A suite that is missing or cannot be collected."""


def sentence_of(error: BaseException | None) -> str:
    """Return an error as a sentence without its full stop."""
    return str(error) if isinstance(error, KitError) else f"{type(error).__name__}: {error}".rstrip(": .")


def reason_of(error: OSError) -> str:
    """Return the operating system's message of an error, in lower case to follow a colon."""
    return (error.strerror or str(error)).lower()
