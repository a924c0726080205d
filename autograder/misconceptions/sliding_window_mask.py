"""Mistakes seen in answers to sliding_window_mask."""

import torch

one_word_too_many = {"back < window": "back <= window"}
"""The window shows one word too many.

With a window of 1, what should a word see?

`window` should count the word itself.
"""

one_word_too_few = {"back < window": "back < window - 1"}
"""The window shows one word too few; with a window of 1 it shows nothing.

With a window of 1, what should a word see?

Row i should begin with column i - window + 1.
"""

without_the_word_itself = {"(back >= 0) & (back < window)": "(back > 0) & (back <= window)"}
"""The window has the right number of words, all of them before the word, but not the word itself.

With a window of 1, what should a word see?

The window should end with the word itself.
"""

to_both_sides = {"(back >= 0) & (back < window)": "back.abs() < window"}
"""The window reaches into the future as far as into the past.

Print the first row. Which of the words that it shows come later?

A word should see itself and look back, never ahead.
"""

centred = {"(back >= 0) & (back < window)": "back.abs() <= window // 2"}
"""The window lies around the word, half of it in the future.

Print the first row. Which of the words that it shows come later?

The window should end with the word itself.
"""

into_the_future = {"(back >= 0) & (back < window)": "(back <= 0) & (back > -window)"}
"""The window begins with the word and reaches into the future.

Print the first row and the last. Which of them should have a single `True`?

Rows are queries, and they should look back.
"""

window_ignored = {"(back >= 0) & (back < window)": "back >= 0"}
"""This is the causal mask, and the window has no part in it. With a window as long as the text that is right.

Print the last row with a window of 2.

What lies too far back should be hidden as well.
"""

not_causal = {"(back >= 0) & (back < window)": "back < window"}
"""What lies too far back is hidden, but not the future.

Print the first row. Which of the words that it shows come later?

Both should be hidden: the future, and what lies too far back.
"""

inverted = {"(back >= 0) & (back < window)": "(back < 0) | (back >= window)"}
"""`True` and `False` have changed places.

With a window of 1, where should the mask be `True`?

`True` should mean "may attend".
"""

numbers_in_place_of_booleans = {"(back >= 0) & (back < window)": "((back >= 0) & (back < window)).float()"}
"""The places are right, but they hold numbers, ones and zeros.

Print the `dtype` of your mask, and `~mask`.

The mask should be Boolean.
"""

zeros_and_minus_infinity = {
    "return (back >= 0) & (back < window)": """
        allowed = (back >= 0) & (back < window)
        return torch.zeros(n, n).masked_fill(~allowed, -math.inf)
    """
}
"""This is the form that is added to scores: 0 where a word may attend, minus infinity where it may not.

Print your mask beside that of the example.

The mask should be Boolean: `True` where a word may attend.
"""

blocks_in_place_of_a_window = {"(back < window)": "(positions[:, None] // window == positions // window)"}
"""The text is cut into blocks, and each word sees its own block up to itself. In the first block that is right.

Print the row of the first word of the second block. How many words should it see?

The window should move on with every word.
"""

diagonal_left_out = {"back >= 0": "back > 0"}
"""The diagonal is `False`: a word sees one word too few, and not itself.

With a window of 1, what should a word see?

Row i should end with column i.
"""


def first_rows_begin_below_zero(n, window):
    """Rows whose window begins below 0 can come out wrong, because Python counts negative places from the end. All
    others are right.

    Print row 0 with a window of 3, and `list(range(5))[-2:1]`.

    In the first rows the window should begin at column 0.
    """
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        mask[i, i - window + 1 : i + 1] = True
    return mask
