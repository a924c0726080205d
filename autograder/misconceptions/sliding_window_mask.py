"""Mistakes seen in answers to sliding_window_mask."""

import torch


def _back(n):
    """How far column j lies behind row i."""
    return torch.arange(n)[:, None] - torch.arange(n)


def one_word_too_many(n, window):
    """The window has one word too many: a word itself is one of those that `window` counts.

    With a window of 1, what does a word see?
    """
    return (_back(n) >= 0) & (_back(n) <= window)


def one_word_too_few(n, window):
    """The window has one word too few: row i begins with column i - window + 1."""
    return (_back(n) >= 0) & (_back(n) < window - 1)


def without_the_word_itself(n, window):
    """A word sees the words before it but not itself: the diagonal belongs to the window."""
    return (_back(n) > 0) & (_back(n) <= window)


def to_both_sides(n, window):
    """The window reaches into the future as well: a word may look at itself and back."""
    return _back(n).abs() < window


def centred(n, window):
    """The window lies around the word, half of it in the future: it ends with the word itself."""
    return _back(n).abs() <= window // 2


def into_the_future(n, window):
    """The window begins with the word and reaches into the future: rows are queries, and they look back."""
    return (_back(n) <= 0) & (_back(n) > -window)


def window_ignored(n, window):
    """This is the causal mask, and the window has no part in it: what lies too far back has to be hidden too."""
    return _back(n) >= 0


def not_causal(n, window):
    """What lies too far back is hidden, but not the future: both conditions have to hold."""
    return _back(n) < window


def inverted(n, window):
    """The mask is the wrong way round: True means may attend."""
    return (_back(n) < 0) | (_back(n) >= window)


def numbers_in_place_of_booleans(n, window):
    """The mask holds the numbers 0 and 1: it has to be Boolean."""
    return ((_back(n) >= 0) & (_back(n) < window)).float()


def zeros_and_minus_infinity(n, window):
    """These are numbers to be added to scores, 0 and -inf: what is asked for is Boolean, True where one may attend."""
    allowed = (_back(n) >= 0) & (_back(n) < window)
    return torch.zeros(n, n).masked_fill(~allowed, float("-inf"))


def blocks_in_place_of_a_window(n, window):
    """The text is cut into blocks, and each word sees its own block only: a window moves on with every word."""
    block = torch.arange(n) // window
    return (block[:, None] == block) & (_back(n) >= 0)


def diagonal_left_out(n, window):
    """The word itself is left out, and a window of 1 is empty: row i ends with column i."""
    return (_back(n) > 0) & (_back(n) < window)


def first_rows_begin_below_zero(n, window):
    """In the first rows the window begins below 0, and Python counts negative places from the end: begin at 0."""
    mask = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        mask[i, i - window + 1 : i + 1] = True
    return mask
