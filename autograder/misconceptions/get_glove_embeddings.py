"""Mistakes seen in answers to get_glove_embeddings."""

always_lower_cased = {
    "glove_embeddings.get(word, glove_embeddings.get(word.lower(), 0))": "glove_embeddings.get(word.lower(), 0)"
}
"""Every word is looked up in lower case only. Where the table has no capitals, nothing shows.

Try "Apple" with a table that knows both "Apple" and "apple".

The exact word should come first; lower case only where that fails.
"""

never_lower_cased = {
    "glove_embeddings.get(word, glove_embeddings.get(word.lower(), 0))": "glove_embeddings.get(word, 0)"
}
lower_case_first = {
    "glove_embeddings.get(word, glove_embeddings.get(word.lower(), 0))": """
        glove_embeddings.get(word.lower(), glove_embeddings.get(word, 0))
    """
}

compared_without_case = {
    "for i, word": "folded = {known.lower(): vector for known, vector in glove_embeddings.items()}\nfor i, word",
    "glove_embeddings.get(word.lower(), 0)": "folded.get(word.lower(), 0)",
}
"""Case is ignored on both sides, so "paris" finds "Paris". Where the table is all in lower case, nothing shows.

Look up "paris" in a table that knows only "Paris".

The word may be put in lower case, but the table should be taken as it is.
"""

casefold_for_lower = {"lower()": "casefold()"}
"""The second look is for a form in which "ß" has become "ss", as `casefold` makes it. In English words nothing shows.

Look up "Straße" in a table that knows "straße".

The second look should be for the word in lower case.
"""

unknown_words_left_out = {
    """
        rows = np.zeros((len(vocab), embed_dim), dtype=np.float32)
        for i, word in enumerate(vocab):
            rows[i] = glove_embeddings.get(word, glove_embeddings.get(word.lower(), 0))
        return rows
    """: """
        found = [glove_embeddings.get(word, glove_embeddings.get(word.lower())) for word in vocab]
        rows = [vector for vector in found if vector is not None]
        return np.array(rows, dtype=np.float32).reshape(-1, embed_dim)
    """
}
"""Unknown words have no row, and the rows below them move up. Where all words are known, it is right.

Look up an unknown word and a known one. How many rows should there be?

Row i should belong to word i; an unknown word gets zeros.
"""

unknown_words_raise = {
    "glove_embeddings.get(word, glove_embeddings.get(word.lower(), 0))": """
        glove_embeddings[word if word in glove_embeddings else word.lower()]
    """
}
"""An unknown word raises a `KeyError`. Where all words are known, it is right.

What does the docstring say that an unknown word gets?

An unknown word should get a row of zeros.
"""

unknown_words_are_ones = {"lower(), 0)": "lower(), 1)"}
"""An unknown word gets a row of ones.

What does the docstring say that an unknown word gets?

An unknown word should get a row of zeros.
"""

unknown_words_are_nan = {"lower(), 0)": "lower(), np.nan)"}
"""An unknown word gets a row of NaN, which spoils every score it meets.

What does the docstring say that an unknown word gets?

An unknown word should get a row of zeros.
"""

unknown_words_repeat_the_last_one = {"lower(), 0)": "lower(), rows[max(i - 1, 0)])"}
"""An unknown word gets the vector of the word before it. With no unknown word, or only a first one, nothing shows.

Look up a known word and then an unknown one. What do your variables hold when nothing was found?

An unknown word should get a row of zeros.
"""

asked_with_or = {
    "glove_embeddings.get(word, glove_embeddings.get(word.lower(), 0))": """
        glove_embeddings.get(word) or glove_embeddings.get(word.lower()) or 0
    """
}

width_written_as_a_number = {"(len(vocab), embed_dim)": "(len(vocab), 50)"}
"""The width is one and the same number, whatever `embed_dim` says. For vectors of that width it is right.

Try a table with vectors of two numbers.

The result should be `embed_dim` wide.
"""

a_row_for_each_word_of_the_table = {"rows = np": "vocab = glove_embeddings\nrows = np"}
"""There is a row for each word of the table, in its order.

Try a vocabulary of one word with a table of three.

Row i should belong to word i of the vocabulary.
"""

each_word_once = {"rows = np": "vocab = list(dict.fromkeys(vocab))\nrows = np"}
"""A word that stands twice in the vocabulary gets one row. With different words nothing shows.

Look up `["one", "is", "one"]` and count the rows.

Row i should belong to word i, whatever the others are.
"""

one_column_a_word = {"return rows": "return rows.T"}

batch_axis_in_front = {"return rows": "return rows[None]"}
"""There is an axis of length 1 in front. The numbers are right.

Print the shape of your result beside that of the example.

The shape should be (words, numbers).
"""

changes_its_input = {
    "glove_embeddings.get(word, glove_embeddings.get(word.lower(), 0))": """
        glove_embeddings.setdefault(word, glove_embeddings.get(word.lower(), np.zeros(embed_dim)))
    """
}
"""The rows are right, but after the call the table holds words that it did not hold before.

Print the length of the table before and after the call.

The call should leave its arguments as they are: looking up only reads.
"""
