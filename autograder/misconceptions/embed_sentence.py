"""Mistakes seen in answers to embed_sentence."""

labels_out_of_step = {", width), words": ", width), tokenize(sentence)"}
"""Unknown words are left out of the array and not of the list, so from there on each label names the wrong row. Where
all words are known, it is right.

Try a sentence whose first word is unknown. Where do you decide that a word is left out?

Both results should leave out the same words: `words[i]` belongs to row i.
"""

unknown_words_are_zeros = {
    "[word for word in tokenize(sentence) if word in embeddings or word.lower() in embeddings]": """
        tokenize(sentence)
    """,
    """
        rows = [embeddings.get(word, embeddings.get(word.lower())) for word in words]
        width = len(next(iter(embeddings.values())))
    """: """
        width = len(next(iter(embeddings.values())))
        rows = [embeddings.get(word, embeddings.get(word.lower(), np.zeros(width))) for word in words]
    """,
}
"""Unknown words get a row of zeros and a label. Zeros look like nothing, but as a key they have the score 0, which may
be the best one.

Try a sentence with an unknown word, and count the rows.

Unknown words should be left out of both results.
"""

zeros_without_a_label = {
    """
        rows = [embeddings.get(word, embeddings.get(word.lower())) for word in words]
        width = len(next(iter(embeddings.values())))
        return np.array(rows, dtype=float).reshape(1, len(words), width), words
    """: """
        width = len(next(iter(embeddings.values())))
        rows = [embeddings.get(word, embeddings.get(word.lower(), np.zeros(width))) for word in tokenize(sentence)]
        return np.array(rows, dtype=float).reshape(1, len(rows), width), words
    """
}
"""Unknown words are left out of the list, but they have a row of zeros in the array.

Try a sentence with an unknown word, and compare the lengths of both results.

Unknown words should be left out of both results.
"""

unknown_words_raise = {
    "[word for word in tokenize(sentence) if word in embeddings or word.lower() in embeddings]": """
        tokenize(sentence)
    """,
    "[embeddings.get(word, embeddings.get(word.lower())) for word in words]": """
        [embeddings[word if word in embeddings else word.lower()] for word in words]
    """,
}
"""An unknown word raises a `KeyError`. Where all words are known, it is right.

What does the docstring say about words that are unknown?

Unknown words should be left out of both results.
"""

labels_in_lower_case = {"width), words": "width), [word.lower() for word in words]"}
"""The labels are in lower case. The vectors are right.

Try a sentence that begins with "The".

The labels should be spelt as in the sentence, whichever form was found in the table.
"""

labels_as_in_the_table = {"width), words": "width), [word if word in embeddings else word.lower() for word in words]"}
"""The labels are spelt as in the table. The vectors are right.

Try "The" with a table that knows "the".

The labels should be spelt as in the sentence.
"""

always_lower_cased = {
    "if word in embeddings or word.lower() in embeddings": "if word.lower() in embeddings",
    "embeddings.get(word, embeddings.get(word.lower()))": "embeddings[word.lower()]",
}
"""Every word is looked up in lower case only. Where the table has no capitals, nothing shows.

Try "Apple" with a table that knows both "Apple" and "apple".

The exact word should come first; lower case only where that fails.
"""

never_lower_cased = {
    "if word in embeddings or word.lower() in embeddings": "if word in embeddings",
    "embeddings.get(word, embeddings.get(word.lower()))": "embeddings[word]",
}
lower_case_first = {
    "embeddings.get(word, embeddings.get(word.lower()))": "embeddings.get(word.lower(), embeddings.get(word))"
}

punctuation_stays = {"tokenize(sentence)": "sentence.split()"}
"""Punctuation still sticks to the words, so "coke," counts as unknown. In a sentence without any it is right.

Compare your words with those of your `tokenize`.

The words should be those of `tokenize`.
"""

punctuation_splits_words = {"tokenize(sentence)": 're.findall(r"\\w+", sentence)'}
"""Words are split where a mark of punctuation stands inside, so "don't" falls into two pieces.

Compare your words with those of your `tokenize`.

The words should be those of `tokenize`.
"""

each_word_once = {"tokenize(sentence)": "dict.fromkeys(tokenize(sentence))"}
"""A word that occurs twice comes back once. In a sentence of different words nothing shows.

Try `"one is one"`.

Every known word should have a row and a label, as often as it stands there.
"""

asked_with_or = {
    "embeddings.get(word, embeddings.get(word.lower()))": "embeddings.get(word) or embeddings.get(word.lower())"
}

no_batch_axis = {"(1, len(words), width)": "(len(words), width)"}
"""The array has two axes, words and numbers. The numbers are right.

Print the shape of your array beside that of the example.

The shape should be `(1, n, d)`: a batch of one sentence.
"""

one_batch_a_word = {"(1, len(words), width)": "(len(words), 1, width)"}
"""Each word is a batch of its own: the axis of length 1 stands behind the words. The numbers are right.

Print the shape of your array beside that of the example.

The shape should be `(1, n, d)`: a batch of one sentence.
"""

words_first = {
    "np.array(rows, dtype=float).reshape(1, len(words), width), words": """
        words, np.array(rows, dtype=float).reshape(1, len(words), width)
    """
}
"""The two results come in the opposite order: first the words, then the array.

Write `vectors, words = ...` with a call of it, and print both.

The array should come first, the words second.
"""

words_not_returned = {"width), words": "width)"}
"""Only the array comes back. Its numbers are right, but nothing tells which word a row belongs to.

How many results does the docstring name?

The array and the list of words should come back.
"""

shape_lost_without_words = {
    "np.array(rows, dtype=float).reshape(1, len(words), width)": "np.array([rows], dtype=float)"
}
"""Where no word is known, the array has lost its width: an empty list cannot tell how long a vector would have been.

Try `"Hm?"`, and print the shape. What knows how wide a vector is, whether or not one was found?

Without a known word the shape should be `(1, 0, d)`.
"""

also_with_a_capital = {
    """
        words = [word for word in tokenize(sentence) if word in embeddings or word.lower() in embeddings]
        rows = [embeddings.get(word, embeddings.get(word.lower())) for word in words]
    """: """
        forms = [(word, word.lower(), word.capitalize(), word.upper()) for word in tokenize(sentence)]
        words = [each[0] for each in forms if any(form in embeddings for form in each)]
        found = [next((embeddings[form] for form in each if form in embeddings), None) for each in forms]
        rows = [row for row in found if row is not None]
    """
}
"""Words are also found in forms with a capital, or in capitals. Where the table is all in lower case, nothing shows.

Look up "paris" in a table that knows only "Paris".

A word should be looked up as it stands, then in lower case, and in no other form.
"""
