"""Mistakes seen in answers to sentence_embed."""

missing_words_left_out = {"in sentence.split()": "in sentence.split() if word in embed_dict"}
"""A word without an embedding is passed over without an error, and the rows below it move up.

Try a sentence with a word that the dictionary does not know. Which word does row 1 belong to?

A word without an embedding should raise a `KeyError`.
"""

missing_words_are_zeros = {"embed_dict[word]": "embed_dict.get(word, np.zeros(len(next(iter(embed_dict.values())))))"}
"""A word without an embedding becomes a row of zeros, without an error.

Try a sentence with a word that the dictionary does not know. Could the caller tell?

A word without an embedding should raise a `KeyError`.
"""

missing_words_stay_none = {"embed_dict[word]": "embed_dict.get(word)", ", dtype=float": ""}
"""A word without an embedding becomes `None` among the vectors. What fails after that, if anything does, no longer
knows the word.

Try a sentence with a word that the dictionary does not know. Is there an error, and does it say which word?

A word without an embedding should raise a `KeyError`, at once.
"""

error_without_the_word = {
    "return": """
        if any(word not in embed_dict for word in sentence.split()):
            raise KeyError("unknown word")
        return
    """
}
"""An unknown word raises a `KeyError`, but the message does not say which word it is.

Read the message as somebody with a sentence of forty words.

The `KeyError` should name the word.
"""

another_error = {
    "return": """
        for word in sentence.split():
            if word not in embed_dict:
                raise ValueError(f"{word} is not in the dictionary")
        return
    """
}
"""An unknown word raises an error, but not a `KeyError`. Whoever looks words up expects that one, as dictionaries raise
it.

Which error does the docstring name under "Raises"?

A word without an embedding should raise a `KeyError` that names it.
"""

each_word_once = {"sentence.split()": "dict.fromkeys(sentence.split())"}
"""A word that occurs twice gets one row. In a sentence of different words nothing shows.

Try `"one is one"` and count the rows.

Every word of the sentence should have a row of its own, in order.
"""

every_embedding_there_is = {"sentence.split()": "embed_dict"}
"""All embeddings of the dictionary come back. Where the sentence consists of just these words in that order, it looks
right.

Try a sentence of one word.

Only the words of the sentence should have rows, in its order.
"""

one_column_a_word = {"dtype=float)": "dtype=float).T"}

one_vector_for_the_sentence = {"dtype=float)": "dtype=float).sum(axis=0)"}
"""The words are added up to one vector, and nobody can tell them apart any more.

Try two sentences with the same words in another order.

Each word should have a row of its own.
"""

all_in_one_row = {"dtype=float)": "dtype=float).ravel()"}
"""All the numbers stand in one long row, end to end. Their order is right.

Print the shape of your result beside that of the example.

Each word should have a row of its own: the shape is (words, numbers).
"""

batch_axis_in_front = {"dtype=float)": "dtype=float)[None]"}
"""There is an axis of length 1 in front. The numbers are right.

Print the shape of your result beside that of the example.

The shape should be (words, numbers); batches come later.
"""

lower_cased = {"sentence.split()": "sentence.lower().split()"}
"""The words are looked up in lower case. Where all words are spelt like that, nothing shows.

Try a dictionary that knows both "One" and "one".

Each word should be looked up as it stands.
"""

punctuation_removed = {"sentence.split()": r're.sub(r"[^\w\s]", "", sentence).split()'}
"""Punctuation is removed before the words are looked up. In a sentence without any, nothing shows.

Try a dictionary that knows "one" and "one,".

A word should be whatever stands between white space.
"""

split_at_single_spaces = {".split()": '.split(" ")'}
"""Each plain space splits, as with `split(" ")`: two in a row leave an empty word, and a tab or a line end splits
nothing. With single spaces between the words, and none around them, it is right.

What does `split` do when you do not tell it what to split at?

White space of any kind and length should count as one gap between words.
"""

letters_instead_of_words = {"sentence.split()": "sentence"}
"""It is letters that are looked up, not words: a loop over a text goes letter by letter.

Print `list("one is")`.

The sentence should be split into words first.
"""
