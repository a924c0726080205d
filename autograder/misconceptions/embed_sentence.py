"""Mistakes seen in answers to embed_sentence."""

labels_out_of_step = {", width), words": ", width), tokenize(sentence)"}
"""Unknown words are left out of the array but not of the list: from there on each label names the wrong row.

Where do you decide that a word is left out? Both results have to hear of it.
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
"""Unknown words get a row of zeros and a label: here they are left out of both results.

To attention, a key of zeros is not nothing: its score is 0, and that may be the best one.
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
"""Unknown words are left out of the list but have a row of zeros in the array: leave them out of both."""

unknown_words_raise = {
    "[word for word in tokenize(sentence) if word in embeddings or word.lower() in embeddings]": """
        tokenize(sentence)
    """,
    "[embeddings.get(word, embeddings.get(word.lower())) for word in words]": """
        [embeddings[word if word in embeddings else word.lower()] for word in words]
    """,
}
"""An unknown word ends in a KeyError: here it is left out, of the array and of the list."""

labels_in_lower_case = {"width), words": "width), [word.lower() for word in words]"}
"""The labels are in lower case: they keep the sentence's own spelling, whichever form was found in the table."""

labels_as_in_the_table = {"width), words": "width), [word if word in embeddings else word.lower() for word in words]"}
"""The labels are spelt as in the table: they keep the sentence's own spelling."""

always_lower_cased = {
    "if word in embeddings or word.lower() in embeddings": "if word.lower() in embeddings",
    "embeddings.get(word, embeddings.get(word.lower()))": "embeddings[word.lower()]",
}
"""Every word is looked up in lower case, so that "Apple" gets the vector of the fruit: try the exact word first."""

never_lower_cased = {
    "if word in embeddings or word.lower() in embeddings": "if word in embeddings",
    "embeddings.get(word, embeddings.get(word.lower()))": "embeddings[word]",
}
lower_case_first = {
    "embeddings.get(word, embeddings.get(word.lower()))": "embeddings.get(word.lower(), embeddings.get(word))"
}

punctuation_stays = {"tokenize(sentence)": "sentence.split()"}
"""Punctuation still sticks to the words, so that "coke," is unknown: your `tokenize` removes it."""

punctuation_splits_words = {"tokenize(sentence)": 're.findall(r"\\w+", sentence)'}
"""Punctuation splits words here, so that "don't" falls into two pieces: `tokenize` deletes it."""

each_word_once = {"tokenize(sentence)": "dict.fromkeys(tokenize(sentence))"}
"""A word that occurs twice comes back once: each of them has a row and a label."""

asked_with_or = {
    "embeddings.get(word, embeddings.get(word.lower()))": "embeddings.get(word) or embeddings.get(word.lower())"
}

no_batch_axis = {"(1, len(words), width)": "(len(words), width)"}
"""The array has two axes: put one of length 1 in front, for a batch of one sentence."""

one_batch_a_word = {"(1, len(words), width)": "(len(words), 1, width)"}
"""Each word is a batch of its own here: the axis of length 1 stands in front of the words."""

words_first = {
    "np.array(rows, dtype=float).reshape(1, len(words), width), words": """
        words, np.array(rows, dtype=float).reshape(1, len(words), width)
    """
}
"""The two results are in the wrong order: first the array, then the words."""

words_not_returned = {"width), words": "width)"}
"""Only the array comes back: return the words as well, as `vectors, words`."""

shape_lost_without_words = {
    "np.array(rows, dtype=float).reshape(1, len(words), width)": "np.array([rows], dtype=float)"
}
"""Where no word is known the array has lost its width: `np.array` cannot know it from an empty list.

The table knows how wide a vector is, whether or not one was found.
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
"""Words are found with a capital too, or in capitals: look them up as they stand, then in lower case only."""
