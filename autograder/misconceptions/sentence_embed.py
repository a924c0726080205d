"""Mistakes seen in answers to sentence_embed."""

missing_words_left_out = {"in sentence.split()": "in sentence.split() if word in embed_dict"}
"""A word without an embedding is passed over in silence, and the rows below it move up: raise a KeyError.

The shortest way to look a word up in a dictionary does that by itself.
"""

missing_words_are_zeros = {"embed_dict[word]": "embed_dict.get(word, np.zeros(len(next(iter(embed_dict.values())))))"}
"""A word without an embedding becomes a row of zeros in silence: here it has to raise a KeyError."""

missing_words_stay_none = {"embed_dict[word]": "embed_dict.get(word)", ", dtype=float": ""}
"""`get` returns None for a missing word, which becomes something that is no number: let the lookup raise."""

error_without_the_word = {
    "return": """
        if any(word not in embed_dict for word in sentence.split()):
            raise KeyError("unknown word")
        return
    """
}
"""The KeyError does not say which word is missing: name it."""

another_error = {
    "return": """
        for word in sentence.split():
            if word not in embed_dict:
                raise ValueError(f"{word} is not in the dictionary")
        return
    """
}
"""A missing word raises a ValueError: who looks a word up expects a KeyError, as dictionaries raise it."""

each_word_once = {"sentence.split()": "dict.fromkeys(sentence.split())"}
"""A word that occurs twice gets one row: every word of the sentence has a row of its own, in order."""

every_embedding_there_is = {"sentence.split()": "embed_dict"}
"""These are all the embeddings of the dictionary: only the words of the sentence are asked for."""

one_column_a_word = {"dtype=float)": "dtype=float).T"}

one_vector_for_the_sentence = {"dtype=float)": "dtype=float).sum(axis=0)"}
"""The words are added up to one vector, and nobody can tell them apart any more: stack them."""

all_in_one_row = {"dtype=float)": "dtype=float).ravel()"}
"""All the numbers stand in one long row: stack the embeddings instead of joining them end to end."""

batch_axis_in_front = {"dtype=float)": "dtype=float)[None]"}
"""There is an axis of length 1 in front, which nobody asked for yet: the shape is (words, numbers)."""

lower_cased = {"sentence.split()": "sentence.lower().split()"}
"""The sentence is put in lower case, but here "One" and "one" are different words: look each up as it stands."""

punctuation_removed = {"sentence.split()": r're.sub(r"[^\w\s]", "", sentence).split()'}
"""Punctuation is removed: in this exercise a word is whatever stands between white space."""

split_at_single_spaces = {".split()": '.split(" ")'}
"""`split(" ")` splits at each plain space only: two in a row give an empty word, and a tab or a line end none.

What does `split` do when you do not tell it what to split at?
"""

letters_instead_of_words = {"sentence.split()": "sentence"}
"""Going through a text goes letter by letter: split it into words first."""
