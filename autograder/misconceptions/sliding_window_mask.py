"""Mistakes seen in answers to sliding_window_mask."""

import torch

one_word_too_many = {"back < window": "back <= window"}
"""The window has one word too many: a word itself is one of those that `window` counts.

With a window of 1, what does a word see?
"""

one_word_too_few = {"back < window": "back < window - 1"}
"""The window has one word too few: row i begins with column i - window + 1."""

without_the_word_itself = {"(back >= 0) & (back < window)": "(back > 0) & (back <= window)"}
"""A word sees the words before it but not itself: the diagonal belongs to the window."""

to_both_sides = {"(back >= 0) & (back < window)": "back.abs() < window"}
"""The window reaches into the future as well: a word may look at itself and back."""

centred = {"(back >= 0) & (back < window)": "back.abs() <= window // 2"}
"""The window lies around the word, half of it in the future: it ends with the word itself."""

into_the_future = {"(back >= 0) & (back < window)": "(back <= 0) & (back > -window)"}
"""The window begins with the word and reaches into the future: rows are queries, and they look back."""

window_ignored = {"(back >= 0) & (back < window)": "back >= 0"}
"""This is the causal mask, and the window has no part in it: what lies too far back has to be hidden too."""

not_causal = {"(back >= 0) & (back < window)": "back < window"}
"""What lies too far back is hidden, but not the future: both conditions have to hold."""

inverted = {"(back >= 0) & (back < window)": "(back < 0) | (back >= window)"}
"""The mask is the wrong way round: True means may attend."""

numbers_in_place_of_booleans = {"(back >= 0) & (back < window)": "((back >= 0) & (back < window)).float()"}
"""The mask holds the numbers 0 and 1: it has to be Boolean."""

zeros_and_minus_infinity = {
    "return (back >= 0) & (back < window)": """
        allowed = (back >= 0) & (back < window)
        return torch.zeros(n, n).masked_fill(~allowed, -math.inf)
    """
}
"""These are numbers to be added to scores, 0 and -inf: what is asked for is Boolean, True where one may attend."""

blocks_in_place_of_a_window = {"(back < window)": "(positions[:, None] // window == positions // window)"}
"""The text is cut into blocks, and each word sees its own block only: a window moves on with every word."""

diagonal_left_out = {"back >= 0": "back > 0"}
"""The word itself is left out, and a window of 1 is empty: row i ends with column i."""


def first_rows_begin_below_zero(n, window):
    """In the first rows the window begins below 0, and Python counts negative places from the end: begin at 0."""
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        mask[i, i - window + 1 : i + 1] = True
    return mask
