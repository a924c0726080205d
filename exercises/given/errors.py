"""What can go wrong with given data. Every message is one sentence that says what to do next.

GivenError
├── NetworkError       no connection, or it broke off
│   └── LengthError    not as many bytes as announced
├── StatusError        the server answered something other than the file
├── DiskError          the folder cannot be written
│   └── DiskFullError
├── ArchiveError       what came is no sound zip file, or the wanted file is not in it
├── ChecksumError      the file is not the one whose checksum was given
├── MissingError       the sentence encoder, or an answer of yours, is not here; the message says how to get it
├── TextError          a file is no text to learn from, or a character is not in the one that was learned
└── FormatError        a line of a vector file is wrong; a ValueError as well
"""


class GivenError(Exception):
    """Something is wrong with given data or with getting it."""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the sentence is enough."""
        return [f"{type(self).__name__}: {self}"]


class NetworkError(GivenError):
    """No connection, or it broke off."""


class LengthError(NetworkError):
    """Not as many bytes came as were announced."""


class StatusError(GivenError):
    """The server answered something other than the file."""


class DiskError(GivenError):
    """The folder cannot be written."""


class DiskFullError(DiskError):
    """There is no room left."""


class ArchiveError(GivenError):
    """What came is no sound zip file, or the wanted file is not in it."""


class ChecksumError(GivenError):
    """The file is not the one whose checksum was given."""


class MissingError(GivenError):
    """The sentence encoder, what reads it, or an answer from another chapter is not on this computer."""


class TextError(GivenError):
    """A file is no text in UTF-8 or too short to learn from, or a character does not occur in the text."""


class FormatError(GivenError, ValueError):
    """A line of a vector file is wrong."""
