"""Mistakes seen in answers to tokenize."""

import string
import unicodedata

punctuation_stays = {r're.sub(r"[^\w\s]", "", sentence).split()': "sentence.split()"}
"""Punctuation still sticks to the words: no table of embeddings knows a word with a comma at its end."""

punctuation_replaced_by_a_space = {r're.sub(r"[^\w\s]", "", sentence).split()': r're.findall(r"\w+", sentence)'}
"""Punctuation splits words here, so that "don't" falls into two pieces: it is deleted, and nothing takes its place.

What do you put where the mark was? And if you collect words with `findall`: where does a word end for it?
"""


def only_marks_of_a_list(sentence):
    """Only the 32 marks of `string.punctuation` are deleted: it knows no « or …, and it takes `_` for a mark.

    Say what a word consists of, and delete the rest.
    """
    return sentence.translate(str.maketrans("", "", string.punctuation)).split()


def only_what_unicode_calls_punctuation(sentence):
    """Signs such as + and € are still there: Unicode calls them symbols, but they are no word characters either."""
    return "".join(sign for sign in sentence if unicodedata.category(sign)[0] != "P" or sign == "_").split()


letters_from_a_to_z_only = {r"[^\w\s]": r"[^a-zA-Z0-9_\s]"}
"""Letters with accents and other scripts are deleted as if they were punctuation: a letter is not only a to z."""

underscore_deleted = {r"[^\w\s]": r"[^\w\s]|_"}
"""The underscore is deleted too: here it is a word character, like a letter or a digit."""

digits_deleted = {r"[^\w\s]": r"[^\w\s]|\d"}
"""Digits are deleted too: "10" is a word like any other."""

lower_cased = {"sentence).split()": "sentence.lower()).split()"}
"""The words come back in lower case: keep their spelling, for "Apple" may be another word than "apple"."""

punctuation_inside_words_stays = {
    r'return re.sub(r"[^\w\s]", "", sentence).split()': r"""
        words = (re.sub(r"^[^\w\s]+|[^\w\s]+$", "", word) for word in sentence.split())
        return [word for word in words if word]
    """
}
"""Punctuation is taken from the ends of each word only: it has to go from the middle as well."""

dashes_leave_empty_words = {
    r're.sub(r"[^\w\s]", "", sentence).split()': r'[re.sub(r"[^\w\s]", "", word) for word in sentence.split()]'
}
"""A dash that stands alone leaves an empty word behind: delete the punctuation before you split."""

split_at_single_spaces = {".split()": '.split(" ")'}
"""`split(" ")` splits at each plain space: two in a row give an empty word, and a tab or a line end splits nothing.

What does `split` do when you do not tell it what to split at?
"""

only_deleted_not_split = {".split()": ""}
"""The result is one long text: split it into a list of words."""

letters_instead_of_words = {
    r're.sub(r"[^\w\s]", "", sentence).split()': r'[sign for sign in sentence if re.match(r"\w", sign)]'
}
"""The result is a list of letters: going through a text goes letter by letter, so split it first."""

each_word_once = {
    r're.sub(r"[^\w\s]", "", sentence).split()': r'list(dict.fromkeys(re.sub(r"[^\w\s]", "", sentence).split()))'
}
"""A word that occurs twice comes back once: keep every word, in order."""
