"""Mistakes seen in answers to embed_sentence."""

import re

import numpy as np


def _tokenize(sentence):
    return re.sub(r"[^\w\s]", "", sentence).split()


def _exact_then_lower(word, table):
    return table.get(word, table.get(word.lower()))


def _width(table):
    return len(next(iter(table.values())))


def _embed(sentence, table, look=_exact_then_lower, split=_tokenize):
    words = [word for word in split(sentence) if look(word, table) is not None]
    rows = np.array([look(word, table) for word in words], dtype=float)
    return rows.reshape(1, len(words), _width(table)), words


def labels_out_of_step(sentence, embeddings):
    """Unknown words are left out of the array but not of the list: from there on each label names the wrong row.

    Where do you decide that a word is left out? Both results have to hear of it.
    """
    return _embed(sentence, embeddings)[0], _tokenize(sentence)


def unknown_words_are_zeros(sentence, embeddings):
    """Unknown words get a row of zeros and a label: here they are left out of both results.

    To attention, a key of zeros is not nothing: its score is 0, and that may be the best one.
    """
    words = _tokenize(sentence)
    nothing = np.zeros(_width(embeddings))
    rows = [_exact_then_lower(word, embeddings) for word in words]
    rows = [nothing if row is None else row for row in rows]
    return np.array(rows, dtype=float).reshape(1, len(words), -1 if words else len(nothing)), words


def zeros_without_a_label(sentence, embeddings):
    """Unknown words are left out of the list but have a row of zeros in the array: leave them out of both."""
    return unknown_words_are_zeros(sentence, embeddings)[0], _embed(sentence, embeddings)[1]


def unknown_words_raise(sentence, embeddings):
    """An unknown word ends in a KeyError: here it is left out, of the array and of the list."""
    for word in _tokenize(sentence):
        if word not in embeddings:
            embeddings[word.lower()]
    return _embed(sentence, embeddings)


def labels_in_lower_case(sentence, embeddings):
    """The labels are in lower case: they keep the sentence's own spelling, whichever form was found in the table."""
    vectors, words = _embed(sentence, embeddings)
    return vectors, [word.lower() for word in words]


def labels_as_in_the_table(sentence, embeddings):
    """The labels are spelt as in the table: they keep the sentence's own spelling."""
    vectors, words = _embed(sentence, embeddings)
    return vectors, [word if word in embeddings else word.lower() for word in words]


def always_lower_cased(sentence, embeddings):
    """Every word is looked up in lower case, so that "Apple" gets the vector of the fruit: try the exact word first."""
    return _embed(sentence, embeddings, lambda word, table: table.get(word.lower()))


def never_lower_cased(sentence, embeddings):
    """Only the exact word is looked up, so that "The" at the start of a sentence is unknown: then try lower case."""
    return _embed(sentence, embeddings, lambda word, table: table.get(word))


def lower_case_first(sentence, embeddings):
    """Lower case is tried first, and the exact word only when that fails: the other way round.

    Where the table has both "Apple" and "apple", which of them does "Apple" get?
    """
    return _embed(sentence, embeddings, lambda word, table: table.get(word.lower(), table.get(word)))


def punctuation_stays(sentence, embeddings):
    """Punctuation still sticks to the words, so that "coke," is unknown: your `tokenize` removes it."""
    return _embed(sentence, embeddings, split=str.split)


def punctuation_splits_words(sentence, embeddings):
    """Punctuation splits words here, so that "don't" falls into two pieces: `tokenize` deletes it."""
    return _embed(sentence, embeddings, split=lambda text: re.findall(r"\w+", text))


def each_word_once(sentence, embeddings):
    """A word that occurs twice comes back once: each of them has a row and a label."""
    return _embed(sentence, embeddings, split=lambda text: list(dict.fromkeys(_tokenize(text))))


def asked_with_or(sentence, embeddings):
    """`or` asks whether a whole vector is true, which an array does not answer: ask whether the word is in the table.

    `get` takes a second argument for the case that nothing is found.
    """
    return _embed(sentence, embeddings, lambda word, table: table.get(word) or table.get(word.lower()))


def no_batch_axis(sentence, embeddings):
    """The array has two axes: put one of length 1 in front, for a batch of one sentence."""
    vectors, words = _embed(sentence, embeddings)
    return vectors[0], words


def one_batch_a_word(sentence, embeddings):
    """Each word is a batch of its own here: the axis of length 1 stands in front of the words."""
    vectors, words = _embed(sentence, embeddings)
    return np.swapaxes(vectors, 0, 1), words


def words_first(sentence, embeddings):
    """The two results are in the wrong order: first the array, then the words."""
    return _embed(sentence, embeddings)[::-1]


def words_not_returned(sentence, embeddings):
    """Only the array comes back: return the words as well, as `vectors, words`."""
    return _embed(sentence, embeddings)[0]


def shape_lost_without_words(sentence, embeddings):
    """Where no word is known the array has lost its width: `np.array` cannot know it from an empty list.

    The table knows how wide a vector is, whether or not one was found.
    """
    vectors, words = _embed(sentence, embeddings)
    return (vectors if words else np.zeros((1, 0))), words


def also_with_a_capital(sentence, embeddings):
    """Words are found with a capital too, or in capitals: look them up as they stand, then in lower case only."""

    def look(word, table):
        for form in (word, word.lower(), word.capitalize(), word.upper()):
            if form in table:
                return table[form]
        return None

    return _embed(sentence, embeddings, look)
