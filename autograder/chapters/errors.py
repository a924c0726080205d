"""The kit's exceptions. Errors that an answer raises are never among them, because they become verdicts.

Every message is a sentence that names the file and what to do.
"""

WRONG, UNREADABLE, FAULT = 1, 2, 3  # exit codes for a wrong exercise, unusable input and an internal error
OURS = "An internal error, not caused by your answers: "


class KitError(Exception):
    """The base class of all errors of the kit."""


class InputError(KitError):
    """Raised if the user's input cannot be used. The exit code is 2."""


class UnreadableAnswer(InputError):
    """Raised if the file of an answer cannot be read."""


class UnknownName(InputError):
    """Raised if a name is neither a chapter nor an exercise."""


class CourseError(InputError):
    """Raised if a folder is not a course, or if a file or setting of a course is wrong."""


class MissingExtra(InputError):
    """Raised if an optional library is needed but not installed."""


class MissingSandboxError(InputError):
    """Raised if other people's code would run without a sandbox."""


class BrokenKitError(KitError):
    """Raised if something in the kit is broken. The exit code is 3."""


class ChapterError(BrokenKitError):
    """Raised if a chapter violates the rules of docs/author.md."""


class SuiteError(BrokenKitError):
    """Raised if a suite is missing or cannot be collected."""


def sentence_of(error: BaseException | None) -> str:
    """Return an error's message as a sentence without a full stop."""
    return str(error) if isinstance(error, KitError) else f"{type(error).__name__}: {error}".rstrip(": .")


def reason_of(error: OSError) -> str:
    """Return the operating system's message for an error, in lower case, so that it can follow a colon."""
    return (error.strerror or str(error)).lower()
