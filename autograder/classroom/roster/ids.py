"""Checks of student IDs, which must be valid names of folders, be safe in terminals, and not look alike."""

import re
import unicodedata

MAX_ID_CHARACTERS = 100
ID_RULE = f"at most {MAX_ID_CHARACTERS} letters that can be seen, no slash, and no point or hyphen first"
# Letters of other alphabets that look like Latin letters, and characters that look like each other.
_LOOKALIKES = str.maketrans("авеԁһіјкӏмոрԛѕтuѵѡхуzαβγικνορτυχıℓ", "abedhijklmnpqstuvwxyzabyiknoptuxil")


def is_id(text: str) -> bool:
    """Return whether a text can be an id: visible, and without characters that a path or a terminal interprets."""
    is_plain = text.isprintable() and "/" not in text and "\\" not in text and text == normalise_id(text)
    return is_plain and 0 < len(text) <= MAX_ID_CHARACTERS and text == text.strip() and text[0] not in ".-"


def normalise_id(text: str) -> str:
    """Return a text in the Unicode form NFC, because some systems separate accents from their letters."""
    return unicodedata.normalize("NFC", text)


def make_comparison_key(student: str) -> str:
    """Return a key that is equal for ids that people could mistake for each other."""
    letters = unicodedata.normalize("NFKD", student).casefold()
    return "".join(sign for sign in letters if not unicodedata.combining(sign)).translate(_LOOKALIKES)


def make_id(text: str) -> str:
    """Return an ID made from a text, with hyphens instead of unusual characters. The result may be empty."""
    return re.sub(r"[^\w.@+ -]+", "-", normalise_id(text)).strip(" .-")[:MAX_ID_CHARACTERS].rstrip(" .-")
