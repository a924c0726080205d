"""Functions that split, join and shorten text, or remove control characters from it."""

import functools
import re
import unicodedata
from collections.abc import Sequence

_PLAIN = "\n -~\xa1-\xac\xae-\u0377"  # ranges of common characters that are safe to show
_UNUSUAL = re.compile(f"\r\n?|[^{_PLAIN}]")
_SPACES = {"\t": "    ", "\r": "\n", "\r\n": "\n"}
_UNSEEN = "\u00ad\u200b\u200c\u200d\u2060\ufeff"  # invisible characters that join or separate letters
MAX_LISTED = 10  # names that are listed in a sentence before "and 12 more"
_FENCED = re.compile(r"^```\w*\n(.*?)\n```$", re.DOTALL | re.MULTILINE)


def clean(text: object) -> str:
    """Return a text without characters that could control a terminal, reverse a line or end a file.

    All text of other people is cleaned before it is shown or written, in verdicts, messages, tables and pages.
    """
    return _UNUSUAL.sub(lambda unusual: _show_sign(unusual[0]), str(text))


@functools.lru_cache(maxsize=4096)
def _show_sign(sign: str) -> str:
    if sign.isprintable() or sign in _SPACES:
        return _SPACES.get(sign, sign)
    if unicodedata.category(sign) == "Zs":
        return " "
    return "" if sign in _UNSEEN else "\N{REPLACEMENT CHARACTER}"


def shorten(text: str, room: int) -> str:
    """Shorten a text to `room` characters by cutting out its middle, at word boundaries if possible."""
    if len(text) <= room:
        return text
    first, last = text[: 2 * room // 3], text[-room // 3 :]
    return f"{first.rpartition(' ')[0] or first} … {last.partition(' ')[2] or last}"


def join_words(words: Sequence[str]) -> str:
    """Join one or more words for use in a sentence: ``a, b and c``."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def join_names(names: Sequence[str]) -> str:
    """Join names for use in a sentence: all of them, or the first ten "and 12 more"."""
    first_few = ("; " if any("," in name for name in names) else ", ").join(names[:MAX_LISTED])
    return first_few if len(names) <= MAX_LISTED else f"{first_few} and {len(names) - MAX_LISTED} more"


def split_prose_and_code(markdown: str) -> list[tuple[bool, str]]:
    """Split markdown into pairs (is code, text), in order: fenced code, and the prose around it."""
    parts = [(number % 2 == 1, part) for number, part in enumerate(_FENCED.split(markdown))]
    return [(is_code, part) for is_code, part in parts if part.strip()]
