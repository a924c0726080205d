"""Extraction of one file from a zip archive: checked, in small pieces, and complete or not at all."""

import hashlib
import zipfile
import zlib
from pathlib import Path

from given.download import CHUNK, progress, settle, writing_in
from given.errors import ArchiveError, ChecksumError

# zipfile raises these errors for damaged, encrypted and unsupported archives.
BAD = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, ValueError)


def check_sha256(path: Path, sha256: str) -> None:
    """Raise `ChecksumError` unless the file has this SHA-256 hash, given in hexadecimal."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    if digest.hexdigest() != sha256.lower():
        raise ChecksumError(f"{path.name} has the SHA-256 {digest.hexdigest()}, not the one given: it was removed.")


def check_archive(path: Path, member: str) -> None:
    """Raise `ArchiveError` unless the file is a zip archive that lists the member."""
    try:
        with zipfile.ZipFile(path) as archive:
            archive.getinfo(member)
    except BAD:
        raise ArchiveError(f"What came as {path.name} is no zip file: it was removed, try again later.") from None
    except KeyError:
        raise ArchiveError(f"There is no {member} in {path.name}: it was removed.") from None


def extract(path: Path, member: str, target: Path) -> None:
    """Write a member to `target`. Remove the archive and raise `ArchiveError` if the archive is damaged.

    Names in the archive have no influence on where the file is written. zipfile checks the member's length and CRC when
    it reaches the end of the member.
    """
    part = target.with_name(f"{target.name}.part")
    with writing_in(target.parent):
        try:
            with (
                zipfile.ZipFile(path) as archive,
                archive.open(member) as source,
                open(part, "wb") as file,
                progress(member, archive.getinfo(member).file_size) as advance,
            ):
                while chunk := source.read(CHUNK):
                    file.write(chunk)
                    advance(len(chunk))
            settle(part, target)
        except BAD:
            path.unlink()
            raise ArchiveError(f"{path.name} is damaged: it was removed, try again.") from None
        finally:
            part.unlink(missing_ok=True)
