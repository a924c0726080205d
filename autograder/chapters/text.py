"""Text from elsewhere, fit to be shown."""


def clean(text):
    """The text without control characters, which could recolour or rewrite a terminal."""
    return "".join(sign if sign.isprintable() or sign == "\n" else "\N{REPLACEMENT CHARACTER}" for sign in str(text))
