"""Mistakes seen in answers to padding_mask."""

upside_down = {"max_length) <": "max_length) >="}
"""The mask is inverted: `True` means "may attend", which holds for real tokens and not for padding."""

one_too_many = {"max_length) <": "max_length) <="}
"""One padding token slips in: places count from 0, so a sentence of length 2 has the places 0 and 1."""

one_too_few = {"[:, None, None]": "[:, None, None] - 1"}
"""The last real token is hidden: a sentence of length 2 has two places, 0 and 1."""

no_axis_for_the_queries = {"[:, None, None]": "[:, None]"}
"""The axis of the queries is missing: `(b, max_length)` would be lined up with the wrong axis of the weights.

`None` in an index makes a new axis of length 1.
"""

axis_in_the_wrong_place = {
    "np.arange(max_length) < np.asarray(lengths)[:, None, None]": """
        (np.arange(max_length) < np.asarray(lengths)[:, None])[:, :, None]
    """
}
"""The axis of length 1 stands at the end; it belongs in the middle, where the queries are: `(b, 1, max_length)`."""

an_axis_in_front = {
    "np.arange(max_length) < np.asarray(lengths)[:, None, None]": """
        (np.arange(max_length) < np.asarray(lengths)[:, None])[None]
    """
}
"""The axis of length 1 stands in front of the batch; it belongs in the middle, where the queries are."""

padding_in_front = {"np.arange(max_length) < np": "np.arange(max_length) >= max_length - np"}
"""The real tokens are taken to stand at the end: sentences start at place 0, and the padding comes after them."""

as_long_as_the_longest = {"arange(max_length)": "arange(max(lengths))"}
"""The mask is as long as the longest sentence at hand: its length is `max_length`, even if no sentence has it."""

numbers_for_booleans = {
    "np.arange(max_length) < np.asarray(lengths)[:, None, None]": """
        (np.arange(max_length) < np.asarray(lengths)[:, None, None]).astype(float)
    """
}
"""The places are right, but they hold ones and zeros: a mask is Boolean, `True` and `False`."""

square_for_every_sentence = {
    "return np.arange(max_length) < np.asarray(lengths)[:, None, None]": """
        real = np.arange(max_length) < np.asarray(lengths)[:, None, None]
        return real & np.swapaxes(real, 1, 2)
    """
}
"""The rows of padding queries are hidden too: the mask says which *keys* are real, in one row for each sentence."""

repeated_for_every_query = {
    "np.arange(max_length) < np.asarray(lengths)[:, None, None]": """
        np.repeat(np.arange(max_length) < np.asarray(lengths)[:, None, None], max_length, axis=1)
    """
}
"""The row is repeated for every query: one row a sentence is enough, the axis of the queries has length 1."""

not_returned = {"return np": "_ = np"}

changes_its_input = {
    "return np.arange(max_length) < np.asarray(lengths)[:, None, None]": """
        mask = np.arange(max_length) < np.asarray(lengths)[:, None, None]
        if isinstance(lengths, np.ndarray):
            lengths -= 1
        return mask
    """
}
"""The mask is right, but the lengths that were handed in are changed: work on a copy."""
