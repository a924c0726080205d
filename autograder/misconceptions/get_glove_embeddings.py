"""Mistakes seen in answers to get_glove_embeddings."""

always_lower_cased = {
    "glove_embeddings.get(word, glove_embeddings.get(word.lower(), 0))": "glove_embeddings.get(word.lower(), 0)"
}
"""Every word is put in lower case, so that "Apple" gets the vector of the fruit: try the exact word first."""

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
"""Case is ignored on both sides, so that "paris" finds "Paris": only the word is lowered, never the table."""

casefold_for_lower = {"lower()": "casefold()"}
"""`casefold` turns "ß" into "ss", and "straße" is not found: the second look is for the word in lower case."""

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
"""Unknown words have no row, and the rows below them move up: row i has to belong to word i."""

unknown_words_raise = {
    "glove_embeddings.get(word, glove_embeddings.get(word.lower(), 0))": """
        glove_embeddings[word if word in glove_embeddings else word.lower()]
    """
}
"""An unknown word ends in a KeyError: here it gets a row of zeros."""

unknown_words_are_ones = {"lower(), 0)": "lower(), 1)"}
"""An unknown word gets a row of ones, as if it were known: zeros are asked for."""

unknown_words_are_nan = {"lower(), 0)": "lower(), np.nan)"}
"""An unknown word gets a row of NaN, which spoils every score it meets: zeros are asked for."""

unknown_words_repeat_the_last_one = {"lower(), 0)": "lower(), rows[max(i - 1, 0)])"}
"""An unknown word gets the vector of the word before it, left over from the last round of the loop: zeros."""

asked_with_or = {
    "glove_embeddings.get(word, glove_embeddings.get(word.lower(), 0))": """
        glove_embeddings.get(word) or glove_embeddings.get(word.lower(), 0)
    """
}

width_written_as_a_number = {"(len(vocab), embed_dim)": "(len(vocab), 50)"}
"""The width is written into the code: `embed_dim` tells it."""

a_row_for_each_word_of_the_table = {"rows = np": "vocab = glove_embeddings\nrows = np"}
"""There is a row for each word of the table: only the words of the vocabulary are asked for."""

each_word_once = {"rows = np": "vocab = list(dict.fromkeys(vocab))\nrows = np"}
"""A word that stands twice in the vocabulary gets one row: row i belongs to word i, whatever the others are."""

one_column_a_word = {"return rows": "return rows.T"}

batch_axis_in_front = {"return rows": "return rows[None]"}
"""There is an axis of length 1 in front, which nobody asked for: the shape is (words, numbers)."""

changes_its_input = {
    "glove_embeddings.get(word, glove_embeddings.get(word.lower(), 0))": """
        glove_embeddings.setdefault(word, glove_embeddings.get(word.lower(), np.zeros(embed_dim)))
    """
}
"""The rows are right, but words were added to the table that was handed in: `get` only reads it."""
