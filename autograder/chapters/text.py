"""Text, taken apart and fit to be shown."""

import re

_FENCED = re.compile(r"^```\w*\n(.*?)\n```$", re.DOTALL | re.MULTILINE)


def clean(text):
    """The text without control characters, which could recolour or rewrite a terminal."""
    return "".join(sign if sign.isprintable() or sign == "\n" else "\N{REPLACEMENT CHARACTER}" for sign in str(text))


def cut(text, room):
    """The text with its middle left out where it is longer than the room; what is left are whole words, if any."""
    if len(text) <= room:
        return text
    first, last = text[: 2 * room // 3], text[-room // 3 :]
    return f"{first.rpartition(' ')[0] or first} … {last.partition(' ')[2] or last}"


def in_a_row(words):
    """One or more words as they stand in a sentence: ``a, b and c``."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def prose_and_code(markdown):
    """(Is code, text) of each part, in order: fenced code as it stands, and the prose around it."""
    parts = [(number % 2 == 1, part) for number, part in enumerate(_FENCED.split(markdown))]
    return [(is_code, part) for is_code, part in parts if part.strip()]
