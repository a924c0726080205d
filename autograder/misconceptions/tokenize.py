"""Mistakes seen in answers to tokenize."""

import string
import unicodedata

punctuation_stays = {r're.sub(r"[^\w\s]", "", sentence).split()': "sentence.split()"}
"""Punctuation still sticks to the words. In a sentence without any it is right.

Print the last word of `"I eat steak."`. Would a table of embeddings know it?

Marks of punctuation should be deleted before the sentence is split into words.
"""

punctuation_replaced_by_a_space = {r're.sub(r"[^\w\s]", "", sentence).split()': r're.findall(r"\w+", sentence)'}
"""Words are split where a mark of punctuation stands inside, so "don't" falls into two pieces.

Try `"Don't"`. How many words should it be?

Marks should be deleted, and nothing should take their place.
"""


def only_marks_of_a_list(sentence):
    """The 32 marks of `string.punctuation` are deleted, and no others: « and … stay, and `_` goes. In plain English
    text it is nearly right.

    Try `"«snake_case» …"`.

    Everything should go that is neither white space nor a word character, which for Python are letters, digits and `_`.
    """
    return sentence.translate(str.maketrans("", "", string.punctuation)).split()


def only_what_unicode_calls_punctuation(sentence):
    """Signs such as + and € are still there: for Unicode they are symbols, not punctuation. In most sentences there are
    none.

    Try `"10 € + 2"`.

    Everything should go that is neither white space nor a word character.
    """
    return "".join(sign for sign in sentence if unicodedata.category(sign)[0] != "P" or sign == "_").split()


letters_from_a_to_z_only = {r"[^\w\s]": r"[^a-zA-Z0-9_\s]"}
"""Letters with accents and those of other scripts are deleted like punctuation. In plain English nothing shows.

Try `"Zoë"`.

A letter of any alphabet should stay, not only a to z.
"""

underscore_deleted = {r"[^\w\s]": r"[^\w\s]|_"}
"""The underscore is deleted, too. In most sentences there is none.

Try `"snake_case"`. What does Python take for a word character, besides letters and digits?

The underscore should stay: here it is a word character, like a letter.
"""

digits_deleted = {r"[^\w\s]": r"[^\w\s]|\d"}
"""Digits are deleted, too. In a sentence without numbers nothing shows.

Try `"at 10:30"`.

Digits should stay: "1030" is a word like any other.
"""

lower_cased = {"sentence).split()": "sentence.lower()).split()"}
"""The words come back in lower case.

Try `"Apple"`. Is it the same word as "apple"?

The words should be spelt as in the sentence.
"""

punctuation_inside_words_stays = {
    r'return re.sub(r"[^\w\s]", "", sentence).split()': r"""
        words = (re.sub(r"^[^\w\s]+|[^\w\s]+$", "", word) for word in sentence.split())
        return [word for word in words if word]
    """
}
"""Punctuation goes from the ends of words and stays inside them. In many sentences there is none inside.

Try `"Don't"` and `"10:30"`.

Every mark should be deleted, wherever it stands.
"""

dashes_leave_empty_words = {
    r're.sub(r"[^\w\s]", "", sentence).split()': r'[re.sub(r"[^\w\s]", "", word) for word in sentence.split()]'
}
"""A mark that stands alone, such as a dash, leaves an empty word behind.

Try `"said - at"` and count the words.

No word of the result should be empty.
"""

split_at_single_spaces = {".split()": '.split(" ")'}
"""Each plain space splits, as with `split(" ")`: two in a row leave an empty word, and a tab or a line end splits
nothing. Where single spaces alone part the words, it is right.

What does `split` do when you do not tell it what to split at?

White space of any kind and length should count as one gap between words.
"""

only_deleted_not_split = {".split()": ""}
"""The punctuation is gone, but the result is one long text.

Print the type of what comes back.

The result should be a list of words.
"""

letters_instead_of_words = {
    r're.sub(r"[^\w\s]", "", sentence).split()': r'[sign for sign in sentence if re.match(r"\w", sign)]'
}
"""The result is a list of letters: a loop over a text goes letter by letter.

Print `list("one two")`.

The result should be a list of words.
"""

each_word_once = {
    r're.sub(r"[^\w\s]", "", sentence).split()': r'list(dict.fromkeys(re.sub(r"[^\w\s]", "", sentence).split()))'
}
"""A word that occurs twice comes back once. In a sentence of different words nothing shows.

Try `"one is one"`.

Every word should come back, in order, as often as it stands there.
"""


letters_between_anything_else = {r're.sub(r"[^\w\s]", "", sentence).split()': r're.findall(r"[a-zA-Z]+", sentence)'}
"""A word ends at whatever is no letter from a to z: "don't" falls into two pieces, "Zoë" loses its end, and numbers are
gone.

Try `"Don't wait, Zoë: 10 o'clock!"`. How many words should it be?

Marks should be deleted, nothing should take their place, and letters of any alphabet and digits should stay.
"""


def a_few_marks_taken_off_the_ends(sentence):
    """The marks . , ! and ? go where a word begins or ends; all others stay, and so does what stands inside a word.
    In plain sentences it is right.

    Try `"«Don't», she said - at 10:30."`.

    Everything should go that is neither white space nor a word character, wherever it stands.
    """
    return [word.strip(".,!?") for word in sentence.split()]
