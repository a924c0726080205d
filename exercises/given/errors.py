"""Errors of given data and of downloads. Most messages say what to do next.

GivenError
├── NetworkError       there is no connection, or it broke off
│   └── LengthError    the server sent more or fewer bytes than it announced
├── StatusError        the server did not send the file
├── DiskError          a folder or file cannot be used
│   └── DiskFullError
├── ArchiveError       the download is not an intact zip archive, or the wanted file is not in it
├── ChecksumError      the file has another checksum than expected
├── MissingError       the sentence encoder, or an answer of yours, is missing; the message says how to get it
├── TextError          a file is not a text to learn from, or a model does not know a character or word
└── FormatError        a line of a vector file is wrong; this is also a ValueError
"""


class GivenError(Exception):
    """Base class of all errors of given data and of downloads."""

    def _render_traceback_(self) -> list[str]:
        """Return the lines that a notebook shows instead of a traceback: only the message."""
        return [f"{type(self).__name__}: {self}"]


class NetworkError(GivenError):
    """Raised if there is no connection or it broke off."""


class LengthError(NetworkError):
    """Raised if the server sent more or fewer bytes than it announced."""


class StatusError(GivenError):
    """Raised if the server did not send the file."""


class DiskError(GivenError):
    """Raised if a folder or file cannot be used."""


class DiskFullError(DiskError):
    """Raised if the disk is full."""


class ArchiveError(GivenError):
    """Raised if a download is not an intact zip archive, or the wanted file is not in it."""


class ChecksumError(GivenError):
    """Raised if a file has another checksum than expected."""


class MissingError(GivenError):
    """Raised if the sentence encoder, a package that reads it, or an answer from another chapter is missing."""


class TextError(GivenError):
    """Raised if a file cannot be read as a text of suitable length, or a model does not know a character or word."""


class FormatError(GivenError, ValueError):
    """Raised if a line of a vector file is wrong."""
