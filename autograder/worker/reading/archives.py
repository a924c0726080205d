"""Takes the files out of a zip file, one after the other and piece by piece."""

import io
import zipfile
import zlib
from typing import IO, BinaryIO

from .answers import MAX_FILE_BYTES, Unreadable

MAX_MEMBERS = 50_000
MAX_NAME = 400  # characters; no platform and no disk has longer ones
PIECE_BYTES = 16 << 20
MAX_ERROR_LENGTH = 200  # characters of an error, which may quote names of 64 kB
_BROKEN = (OSError, RuntimeError, zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, ValueError)


class Archive:
    def __init__(self, file: BinaryIO | bytes) -> None:
        try:
            self.archive = zipfile.ZipFile(io.BytesIO(file) if isinstance(file, bytes) else file)
        except _BROKEN as error:
            raise Unreadable(f"is no zip file that can be read ({str(error)[:MAX_ERROR_LENGTH]})") from None
        self.members = self.archive.infolist()
        if len(self.members) > MAX_MEMBERS:
            raise Unreadable(f"holds more than {MAX_MEMBERS:,} files")
        self.open: IO[bytes] | None = None

    def names(self) -> list[tuple[bool, str]]:
        """(Whether it is a file with a name that a disk takes, its name) of every member."""
        return [
            (not member.is_dir() and len(member.filename) <= MAX_NAME, member.filename[:MAX_NAME])
            for member in self.members
        ]

    def piece(self, number: int | None = None) -> bytes:
        """The first bytes of a member, or the next of the same one; the last piece is shorter than the others."""
        try:
            if number is not None:
                self.open, self.left = self.archive.open(self.members[number]), MAX_FILE_BYTES
            data = self.open.read(PIECE_BYTES) if self.open else b""
        except _BROKEN as error:
            raise Unreadable(f"cannot be taken out of the zip file ({str(error)[:MAX_ERROR_LENGTH]})") from None
        self.left -= len(data)
        if self.left < 0:  # whatever the zip file says about its size
            raise Unreadable(f"is larger than {MAX_FILE_BYTES >> 20} MB")
        return data
