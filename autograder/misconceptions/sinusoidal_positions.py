"""Mistakes seen in answers to sinusoidal_positions."""

import math

import torch


def _places(n):
    return torch.arange(n, dtype=torch.float64)[:, None]


def _speeds(d, base=10000.0):
    """The right ones, (d / 2,)."""
    return base ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)


def _dealt_out(first, second):
    return torch.stack([first, second], dim=-1).flatten(-2)


def _table(angles):
    return _dealt_out(angles.sin(), angles.cos())


def half_split(n, d):
    """All sines stand in the first half and all cosines in the second: sine and cosine should take turns.

    Columns 0 and 1 are one hand of a clock, columns 2 and 3 the next.
    """
    angles = _places(n) * _speeds(d)
    return torch.cat([angles.sin(), angles.cos()], dim=-1)


def an_angle_for_every_column(n, d):
    """Each column has an angle of its own, so that sine and cosine belong to different hands: a pair shares one.

    How many different speeds are there for `d` columns?
    """
    speeds = 10000.0 ** -(torch.arange(d, dtype=torch.float64) / d)
    angles = _places(n) * speeds
    return _dealt_out(angles[:, 0::2].sin(), angles[:, 1::2].cos())


def exponent_without_the_two(n, d):
    """The exponent of pair i is i / d here, so the slowest hand is far too fast: it should be 2i / d."""
    return _table(_places(n) * 10000.0 ** -(torch.arange(d // 2, dtype=torch.float64) / d))


def exponent_doubled(n, d):
    """The exponent is twice what it should be: where 2i already counts columns, it needs no second factor 2."""
    return _table(_places(n) * 10000.0 ** -(2 * torch.arange(0, d, 2, dtype=torch.float64) / d))


def last_hand_turns_by_one_ten_thousandth(n, d):
    """The speeds are spread so that the last is 1/10000: that divides by the number of steps, d/2 - 1, not by d/2."""
    steps = torch.arange(d // 2, dtype=torch.float64) / max(d // 2 - 1, 1)
    return _table(_places(n) * 10000.0**-steps)


def sine_and_cosine_swapped(n, d):
    """The cosine stands before the sine: even columns are the sines."""
    angles = _places(n) * _speeds(d)
    return _dealt_out(angles.cos(), angles.sin())


def sines_only(n, d):
    """Both columns of a pair are sines: the second should be the cosine, or the hand has no direction."""
    angles = _places(n) * _speeds(d)
    return _dealt_out(angles.sin(), angles.sin())


def places_from_one(n, d):
    """The first place is counted as 1: count from 0, so that the first row is made of 0 and 1."""
    return _table((_places(n) + 1) * _speeds(d))


def multiplied_by_the_power(n, d):
    """The place is multiplied by the power of 10000 here, so every hand is faster than the one before: divide."""
    return _table(_places(n) / _speeds(d))


def e_for_ten_thousand(n, d):
    """`exp(-2i / d)` is a power of e: without the logarithm of 10000 in the exponent all hands are nearly as fast."""
    return _table(_places(n) * _speeds(d, math.e))


def a_thousand(n, d):
    """The slowest hands are too fast: the base of the powers is 1000 here, and should be 10000."""
    return _table(_places(n) * _speeds(d, 1000.0))


def places_as_shares(n, d):
    """The places are divided by their number, so that one step is another angle in every table: leave them whole."""
    return _table(_places(n) / n * _speeds(d))


def degrees(n, d):
    """The angles are turned into radians, but they are radians already, as `sin` and `cos` expect."""
    return _table(torch.deg2rad(_places(n) * _speeds(d)))


def turned_round(n, d):
    """The table lies on its side: one row for each place, one column for each number of a word."""
    return _table(_places(n) * _speeds(d)).T


def size_written_as_a_number(n, d):
    """The width is written into the exponent as a number: use `d`."""
    return _table(_places(n) * 10000.0 ** -(torch.arange(0, d, 2, dtype=torch.float64) / 4))


def angles_not_bent(n, d):
    """These are the angles themselves: their sine and cosine are wanted, which stay between -1 and 1."""
    angles = _places(n) * _speeds(d)
    return _dealt_out(angles, angles)


def not_returned(n, d):
    """The table may have been made, but the function does not hand it back: it needs a `return`."""
