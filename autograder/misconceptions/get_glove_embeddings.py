"""Mistakes seen in answers to get_glove_embeddings."""

import numpy as np


def _exact_then_lower(word, table):
    return table.get(word, table.get(word.lower()))


def _rows(vocab, table, width, look=_exact_then_lower, unknown=0.0):
    rows = np.full((len(vocab), width), unknown, dtype=np.float32)
    for i, word in enumerate(vocab):
        vector = look(word, table)
        if vector is not None:
            rows[i] = vector
    return rows


def always_lower_cased(vocab, glove_embeddings, embed_dim):
    """Every word is put in lower case, so that "Apple" gets the vector of the fruit: try the exact word first."""
    return _rows(vocab, glove_embeddings, embed_dim, lambda word, table: table.get(word.lower()))


def never_lower_cased(vocab, glove_embeddings, embed_dim):
    """Only the exact word is looked up, so that "The" at the start of a sentence is unknown: then try lower case."""
    return _rows(vocab, glove_embeddings, embed_dim, lambda word, table: table.get(word))


def lower_case_first(vocab, glove_embeddings, embed_dim):
    """Lower case is tried first, and the exact word only when that fails: the other way round.

    Where the table has both "Apple" and "apple", which of them does "Apple" get?
    """
    return _rows(vocab, glove_embeddings, embed_dim, lambda word, table: table.get(word.lower(), table.get(word)))


def compared_without_case(vocab, glove_embeddings, embed_dim):
    """Case is ignored on both sides, so that "paris" finds "Paris": only the word is lowered, never the table."""

    def look(word, table):
        folded = {known.lower(): vector for known, vector in table.items()}
        return table.get(word, folded.get(word.lower()))

    return _rows(vocab, glove_embeddings, embed_dim, look)


def casefold_for_lower(vocab, glove_embeddings, embed_dim):
    """`casefold` turns "ß" into "ss", and "straße" is not found: the second look is for the word in lower case."""
    return _rows(vocab, glove_embeddings, embed_dim, lambda word, table: table.get(word, table.get(word.casefold())))


def unknown_words_left_out(vocab, glove_embeddings, embed_dim):
    """Unknown words have no row, and the rows below them move up: row i has to belong to word i."""
    found = [_exact_then_lower(word, glove_embeddings) for word in vocab]
    return np.array([v for v in found if v is not None], dtype=np.float32).reshape(-1, embed_dim)


def unknown_words_raise(vocab, glove_embeddings, embed_dim):
    """An unknown word ends in a KeyError: here it gets a row of zeros."""
    return _rows(
        vocab,
        glove_embeddings,
        embed_dim,
        lambda word, table: table[word] if word in table else table[word.lower()],
    )


def unknown_words_are_ones(vocab, glove_embeddings, embed_dim):
    """An unknown word gets a row of ones, as if it were known: zeros are asked for."""
    return _rows(vocab, glove_embeddings, embed_dim, unknown=1.0)


def unknown_words_are_nan(vocab, glove_embeddings, embed_dim):
    """An unknown word gets a row of NaN, which spoils every score it meets: zeros are asked for."""
    return _rows(vocab, glove_embeddings, embed_dim, unknown=np.nan)


def unknown_words_repeat_the_last_one(vocab, glove_embeddings, embed_dim):
    """An unknown word gets the vector of the word before it, left over from the last round of the loop: zeros."""
    rows, vector = np.zeros((len(vocab), embed_dim), dtype=np.float32), 0.0
    for i, word in enumerate(vocab):
        found = _exact_then_lower(word, glove_embeddings)
        vector = vector if found is None else found
        rows[i] = vector
    return rows


def asked_with_or(vocab, glove_embeddings, embed_dim):
    """`or` asks whether a whole vector is true, which an array does not answer: ask whether the word is in the table.

    `get` takes a second argument for the case that nothing is found.
    """
    return _rows(vocab, glove_embeddings, embed_dim, lambda word, table: table.get(word) or table.get(word.lower()))


def width_written_as_a_number(vocab, glove_embeddings, embed_dim):
    """The width is written into the code: `embed_dim` tells it."""
    return _rows(vocab, glove_embeddings, 50)


def a_row_for_each_word_of_the_table(vocab, glove_embeddings, embed_dim):
    """There is a row for each word of the table: only the words of the vocabulary are asked for."""
    return _rows(glove_embeddings, glove_embeddings, embed_dim)


def each_word_once(vocab, glove_embeddings, embed_dim):
    """A word that stands twice in the vocabulary gets one row: row i belongs to word i, whatever the others are."""
    return _rows(list(dict.fromkeys(vocab)), glove_embeddings, embed_dim)


def one_column_a_word(vocab, glove_embeddings, embed_dim):
    """Each word is a column here: rows are words."""
    return _rows(vocab, glove_embeddings, embed_dim).T


def batch_axis_in_front(vocab, glove_embeddings, embed_dim):
    """There is an axis of length 1 in front, which nobody asked for: the shape is (words, numbers)."""
    return _rows(vocab, glove_embeddings, embed_dim)[None]


def changes_its_input(vocab, glove_embeddings, embed_dim):
    """The rows are right, but words were added to the table that was handed in: `get` only reads it."""
    zeros = np.zeros(embed_dim)
    rows = [glove_embeddings.setdefault(word, glove_embeddings.get(word.lower(), zeros)) for word in vocab]
    return np.array(rows, dtype=np.float32).reshape(len(vocab), embed_dim)
