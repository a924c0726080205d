"""Ids of students: they name folders, stand on terminals, and must not be taken for each other."""

import re
import unicodedata

MAX_ID = 100  # characters of a student's id
# Letters of other alphabets that look like Latin ones, and signs that look like each other.
_ALIKE = str.maketrans("авеԁһіјкӏмոрԛѕтuѵѡхуzαβγικνορτυχıℓ", "abedhijklmnpqstuvwxyzabyiknoptuxil")


def is_id(text: str) -> bool:
    """Whether this can be a student's id: nothing that a path or a terminal obeys, and nothing that cannot be seen."""
    plain = text.isprintable() and "/" not in text and "\\" not in text and text == composed(text)
    return plain and 0 < len(text) <= MAX_ID and text == text.strip() and not text.startswith((".", "-"))


def composed(text: str) -> str:
    """The text with each accent in its letter: some systems write them apart, and it is the same name."""
    return unicodedata.normalize("NFC", text)


def likeness(student: str) -> str:
    """What an id looks like: the same for ids that somebody could take for each other."""
    letters = unicodedata.normalize("NFKD", student).casefold()
    return "".join(sign for sign in letters if not unicodedata.combining(sign)).translate(_ALIKE)


def safe_id(text: str) -> str:
    return re.sub(r"[^\w.@+ -]+", "-", composed(text)).strip(" .-")[:MAX_ID].rstrip(" .-")
