"""Mistakes seen in answers to padding_mask."""

import numpy as np

upside_down = {"max_length) <": "max_length) >="}
"""`True` and `False` have changed places: padding is shown, and the real tokens are hidden.

What should the row of a sentence without any padding look like?

`True` should mean "may attend", which holds for real tokens.
"""

one_too_many = {"max_length) <": "max_length) <="}
"""One padding token counts as real in every sentence that has any.

Count the `True` of a sentence of length 2. At which place does it end, if the first place is 0?

A sentence should have as many `True` as it has tokens.
"""

one_too_few = {"[:, None, None]": "[:, None, None] - 1"}
"""The last real token of each sentence is hidden.

Count the `True` of a sentence of length 2.

A sentence should have as many `True` as it has tokens.
"""

no_axis_for_the_queries = {"[:, None, None]": "[:, None]"}
"""The mask has two axes, `(b, max_length)`. Beside weights of shape (b, n_q, n_k), NumPy takes its first axis for the
queries.

Write both shapes one below the other, lined up at the right: `(b, n_q, n_k)` and that of your mask.

The shape should be `(b, 1, max_length)`: the axis of length 1 stands where the queries are.
"""

axis_in_the_wrong_place = {
    "np.arange(max_length) < np.asarray(lengths)[:, None, None]": """
        (np.arange(max_length) < np.asarray(lengths)[:, None])[:, :, None]
    """
}
"""The axis of length 1 stands at the end, so the mask hides queries and not keys.

Write both shapes one below the other: `(b, n_q, n_k)` and that of your mask.

The shape should be `(b, 1, max_length)`: the axis of length 1 stands where the queries are.
"""

an_axis_in_front = {
    "np.arange(max_length) < np.asarray(lengths)[:, None, None]": """
        (np.arange(max_length) < np.asarray(lengths)[:, None])[None]
    """
}
"""The axis of length 1 stands in front, so NumPy takes the sentences for queries.

Write both shapes one below the other: `(b, n_q, n_k)` and that of your mask.

The shape should be `(b, 1, max_length)`: the axis of length 1 stands where the queries are.
"""

padding_in_front = {"np.arange(max_length) < np": "np.arange(max_length) >= max_length - np"}
"""The real tokens are taken to stand at the end of each row. Without any padding nothing shows.

Where does a sentence of length 2 begin in the example?

Sentences should start at place 0; the padding comes after them.
"""

as_long_as_the_longest = {"arange(max_length)": "arange(max(lengths))"}
"""The mask is as long as the longest sentence at hand. Where that fills `max_length`, it is right.

Call it with sentences that are all shorter than `max_length`.

The mask should have `max_length` columns, even if no sentence is that long.
"""

numbers_for_booleans = {
    "np.arange(max_length) < np.asarray(lengths)[:, None, None]": """
        (np.arange(max_length) < np.asarray(lengths)[:, None, None]).astype(float)
    """
}
"""The places are right, but they hold numbers, ones and zeros.

Print the `dtype` of your mask, and `~mask`.

The mask should be Boolean.
"""

square_for_every_sentence = {
    "return np.arange(max_length) < np.asarray(lengths)[:, None, None]": """
        real = np.arange(max_length) < np.asarray(lengths)[:, None, None]
        return real & np.swapaxes(real, 1, 2)
    """
}
"""The rows of padding are hidden, too: the mask is a square for each sentence, `(b, max_length, max_length)`.

How many rows does the docstring name for a sentence?

The mask should say which keys are real, in one row for each sentence.
"""

repeated_for_every_query = {
    "np.arange(max_length) < np.asarray(lengths)[:, None, None]": """
        np.repeat(np.arange(max_length) < np.asarray(lengths)[:, None, None], max_length, axis=1)
    """
}
"""The same row stands there for every query: `(b, max_length, max_length)`. What it says is right.

How many rows does the docstring name for a sentence?

One row for each sentence should be enough: the axis of the queries has length 1.
"""

not_returned = {"return np": "_ = np"}

changes_its_input = {
    "return np.arange(max_length) < np.asarray(lengths)[:, None, None]": """
        mask = np.arange(max_length) < np.asarray(lengths)[:, None, None]
        if isinstance(lengths, np.ndarray):
            lengths -= 1
        return mask
    """
}
"""The mask is right, but after the call the lengths are no longer what they were.

Print the lengths before and after the call. Use an array, because a list may hide it.

The call should leave its arguments as they are.
"""


def cut_from_the_end(lengths, max_length):
    """The padding is counted from the end with a negative index. Where a sentence has none, that index is -0, which is
    0: all of its tokens are hidden.

    Print `[1, 2, 3][-0:]`.

    A sentence without padding should keep all of its tokens.
    """
    mask = np.ones((len(lengths), 1, max_length), dtype=bool)
    for row, length in zip(mask, lengths, strict=True):
        row[0, -(max_length - length) :] = False
    return mask
