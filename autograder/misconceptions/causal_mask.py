"""Mistakes seen in answers to causal_mask."""

upside_down = {"np.tril": "~np.tril"}
"""`True` and `False` have changed places: a token sees only those after it.

Which tokens may the first one see? Read the first row of your mask.

`True` should mean "may attend": itself, and what came before.
"""

looks_ahead = {"np.tril": "np.triu"}
"""This is the upper triangle: a token sees itself and those after it. The diagonal is right.

Which tokens may the first one see? Read the first row of your mask.

In row i the columns up to i should be `True`: queries are rows.
"""

without_itself = {"dtype=bool)": "dtype=bool), -1"}
"""The diagonal is `False`: a token does not see itself, and the first one sees nothing at all.

Which tokens may the first one see? Read the first row of your mask.

A token should see itself and all that came before.
"""

one_too_far = {"dtype=bool)": "dtype=bool), 1"}
"""Each token sees one token of its future.

Read the first row of your mask. Which word does it show to the first token?

The diagonal should be the last column that is `True`.
"""

only_itself = {"np.tril(np.ones((n, n), dtype=bool))": "np.eye(n, dtype=bool)"}
"""Only the diagonal is `True`: a token sees itself and nothing else.

Read the last row of your mask. Which tokens came before the last one?

A token should also see everything before it.
"""

numbers_for_booleans = {", dtype=bool": ""}
"""The triangle is right, but it holds numbers, ones and zeros. Multiplying by it works; numbers surprise where a mask
is inverted or used as an index.

Print the `dtype` of your mask, and `~mask`.

The mask should be Boolean.
"""

added_to_the_scores = {
    "np.tril(np.ones((n, n), dtype=bool))": "np.where(np.tril(np.ones((n, n), dtype=bool)), 0.0, -np.inf)"
}
"""This is the form that is added to scores: 0 where a token may attend, minus infinity where it may not.

Print your mask beside that of the example.

Here the mask should be Boolean: `True` where a token may attend.
"""

everything_allowed = {"np.tril(np.ones((n, n), dtype=bool))": "np.ones((n, n), dtype=bool)"}
"""Everything is `True`: the mask hides nothing, and every token sees its future.

Read the first row of your mask. Which tokens come after the first?

Whatever comes after a token should be `False` in its row.
"""

not_returned = {"return np": "np"}

four_written_as_a_number = {"(n, n)": "(4, 4)"}
"""The mask has four rows and columns, as in the example, whatever `n` is.

Call it with 2 and with 6.

The mask should have `n` rows and `n` columns.
"""
