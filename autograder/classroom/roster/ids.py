"""Student ids. They are used in folder names and terminals, and must not be mistaken for each other."""

import re
import unicodedata

MAX_ID = 100  # characters of a student's id
# Letters of other alphabets that look like Latin ones, and signs that look like each other.
_ALIKE = str.maketrans("авеԁһіјкӏмոрԛѕтuѵѡхуzαβγικνορτυχıℓ", "abedhijklmnpqstuvwxyzabyiknoptuxil")


def is_id(text: str) -> bool:
    """Return whether a text can be an id: visible, and without characters that a path or a terminal interprets."""
    plain = text.isprintable() and "/" not in text and "\\" not in text and text == normalise(text)
    return plain and 0 < len(text) <= MAX_ID and text == text.strip() and not text.startswith((".", "-"))


def normalise(text: str) -> str:
    """Return the text with composed accents (NFC), because some systems separate them from their letters."""
    return unicodedata.normalize("NFC", text)


def comparison_key(student: str) -> str:
    """Return a key that is equal for ids that people could confuse."""
    letters = unicodedata.normalize("NFKD", student).casefold()
    return "".join(sign for sign in letters if not unicodedata.combining(sign)).translate(_ALIKE)


def safe_id(text: str) -> str:
    return re.sub(r"[^\w.@+ -]+", "-", normalise(text)).strip(" .-")[:MAX_ID].rstrip(" .-")
