"""Text, taken apart and fit to be shown."""

import re

_FENCED = re.compile(r"^```\w*\n(.*?)\n```$", re.DOTALL | re.MULTILINE)


def clean(text):
    """The text without control characters, which could recolour or rewrite a terminal."""
    return "".join(sign if sign.isprintable() or sign == "\n" else "\N{REPLACEMENT CHARACTER}" for sign in str(text))


def prose_and_code(markdown):
    """(Is code, text) of each part, in order: fenced code as it stands, and the prose around it."""
    parts = [(number % 2 == 1, part) for number, part in enumerate(_FENCED.split(markdown))]
    return [(is_code, part) for is_code, part in parts if part.strip()]
