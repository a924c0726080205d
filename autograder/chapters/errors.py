"""What can go wrong outside an answer. An answer's own errors are verdicts, never exceptions of these.

Every message is a sentence that names the file and the next step.
"""

WRONG, UNREADABLE, FAULT = 1, 2, 3  # exit codes: an exercise is not right, the input cannot be used, a fault of ours
OURS = "A fault of ours, not of your answers: "


class KitError(Exception):
    """Any error of the kit."""


class InputError(KitError):
    """What the user named or wrote cannot be used: exit code 2."""


class UnreadableAnswer(InputError):
    """An answer that cannot be read at all."""


class UnknownName(InputError):
    """A name that is no chapter and no exercise."""


class CourseError(InputError):
    """A folder that is no course, or a course that cannot be built."""


class RecordError(InputError):
    """A record that cannot be written."""


class MissingExtra(InputError):
    """Something that a light install leaves out."""


class NoSandbox(InputError):
    """Other people's answers, and nothing to shut them in with."""


class KitFault(KitError):
    """Something of ours is broken: exit code 3."""


class ChapterError(KitFault):
    """A chapter that breaks the rules of docs/author.md."""


class SuiteFault(KitFault):
    """A suite that is missing or cannot be collected."""


def sentence_of(error: BaseException | None) -> str:
    """An error as a sentence without its full stop."""
    return str(error) if isinstance(error, KitError) else f"{type(error).__name__}: {error}".rstrip(": .")


def why(error: OSError) -> str:
    """What the system says of an `OSError`, to stand behind a colon."""
    return (error.strerror or str(error)).lower()
