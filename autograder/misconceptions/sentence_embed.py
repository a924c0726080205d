"""Mistakes seen in answers to sentence_embed."""

import re

import numpy as np


def _rows(words, embed_dict):
    return np.array([embed_dict[word] for word in words], dtype=float)


def missing_words_left_out(sentence, embed_dict):
    """A word without an embedding is passed over in silence, and the rows below it move up: raise a KeyError.

    The shortest way to look a word up in a dictionary does that by itself.
    """
    return np.array([embed_dict[word] for word in sentence.split() if word in embed_dict], dtype=float)


def missing_words_are_zeros(sentence, embed_dict):
    """A word without an embedding becomes a row of zeros in silence: here it has to raise a KeyError."""
    nothing = np.zeros(len(next(iter(embed_dict.values()))))
    return np.array([embed_dict.get(word, nothing) for word in sentence.split()], dtype=float)


def missing_words_stay_none(sentence, embed_dict):
    """`get` returns None for a missing word, which becomes something that is no number: let the lookup raise."""
    return np.array([embed_dict.get(word) for word in sentence.split()])


def error_without_the_word(sentence, embed_dict):
    """The KeyError does not say which word is missing: name it."""
    if any(word not in embed_dict for word in sentence.split()):
        raise KeyError("unknown word")
    return _rows(sentence.split(), embed_dict)


def another_error(sentence, embed_dict):
    """A missing word raises a ValueError: who looks a word up expects a KeyError, as dictionaries raise it."""
    for word in sentence.split():
        if word not in embed_dict:
            raise ValueError(f"{word} is not in the dictionary")
    return _rows(sentence.split(), embed_dict)


def each_word_once(sentence, embed_dict):
    """A word that occurs twice gets one row: every word of the sentence has a row of its own, in order."""
    return _rows(dict.fromkeys(sentence.split()), embed_dict)


def every_embedding_there_is(sentence, embed_dict):
    """These are all the embeddings of the dictionary: only the words of the sentence are asked for."""
    return _rows(embed_dict, embed_dict)


def one_column_a_word(sentence, embed_dict):
    """Each word is a column here: rows are words."""
    return _rows(sentence.split(), embed_dict).T


def one_vector_for_the_sentence(sentence, embed_dict):
    """The words are added up to one vector, and nobody can tell them apart any more: stack them."""
    return _rows(sentence.split(), embed_dict).sum(axis=0)


def all_in_one_row(sentence, embed_dict):
    """All the numbers stand in one long row: stack the embeddings instead of joining them end to end."""
    return _rows(sentence.split(), embed_dict).ravel()


def batch_axis_in_front(sentence, embed_dict):
    """There is an axis of length 1 in front, which nobody asked for yet: the shape is (words, numbers)."""
    return _rows(sentence.split(), embed_dict)[None]


def lower_cased(sentence, embed_dict):
    """The sentence is put in lower case, but here "One" and "one" are different words: look each up as it stands."""
    return _rows(sentence.lower().split(), embed_dict)


def punctuation_removed(sentence, embed_dict):
    """Punctuation is removed: in this exercise a word is whatever stands between white space."""
    return _rows(re.sub(r"[^\w\s]", "", sentence).split(), embed_dict)


def split_at_single_spaces(sentence, embed_dict):
    """`split(" ")` splits at each plain space only: two in a row give an empty word, and a tab or a line end none.

    What does `split` do when you do not tell it what to split at?
    """
    return _rows(sentence.split(" "), embed_dict)


def letters_instead_of_words(sentence, embed_dict):
    """Going through a text goes letter by letter: split it into words first."""
    return _rows(sentence, embed_dict)
