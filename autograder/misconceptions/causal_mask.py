"""Mistakes seen in answers to causal_mask."""

upside_down = {"np.tril": "~np.tril"}
"""The mask is inverted: `True` means "may attend", and a token may attend to itself and to what came before."""

looks_ahead = {"np.tril": "np.triu"}
"""This is the upper triangle, in which tokens look ahead: queries are rows, and column j is at most row i."""

without_itself = {"dtype=bool)": "dtype=bool), -1"}
"""The diagonal is missing: a token may attend to itself, or the first one could look at nothing."""

one_too_far = {"dtype=bool)": "dtype=bool), 1"}
"""Each token sees one token of its future: the diagonal is the last column that is allowed."""

only_itself = {"np.tril(np.ones((n, n), dtype=bool))": "np.eye(n, dtype=bool)"}
"""Only the diagonal is `True`: a token may attend to everything before it, too."""

numbers_for_booleans = {", dtype=bool": ""}
"""The triangle is right, but it holds ones and zeros: a mask is Boolean, `True` and `False`.

`dtype=bool` makes it so. Numbers surprise where a mask is inverted or used as an index.
"""

added_to_the_scores = {
    "np.tril(np.ones((n, n), dtype=bool))": "np.where(np.tril(np.ones((n, n), dtype=bool)), 0.0, -np.inf)"
}
"""This is the form that is added to the scores, 0 and minus infinity: a Boolean mask is asked for."""

everything_allowed = {"np.tril(np.ones((n, n), dtype=bool))": "np.ones((n, n), dtype=bool)"}
"""Everything is `True`, so that nobody is kept from looking ahead."""

not_returned = {"return np": "np"}

four_written_as_a_number = {"(n, n)": "(4, 4)"}
"""Four tokens are written into the code, as many as the example has: make the mask `n` by `n`."""
