# expect: tokenize wrong only_punctuation_of_unicode
import unicodedata


def tokenize(sentence):
    kept = [letter for letter in sentence if not unicodedata.category(letter).startswith("P")]
    return "".join(kept).split()
