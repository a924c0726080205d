# expect: tokenize wrong unicode_normalised
import unicodedata


def tokenize(text):
    text = unicodedata.normalize("NFKC", text)
    return "".join(sign for sign in text if sign.isalnum() or sign.isspace() or sign == "_").split()
