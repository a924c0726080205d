"""Mistakes seen in answers to sinusoidal_positions."""

half_split = {
    "torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)": """
        torch.cat([angles.sin(), angles.cos()], dim=-1)
    """
}
"""All sines stand in the first half and all cosines in the second: sine and cosine should take turns.

Columns 0 and 1 are one hand of a clock, columns 2 and 3 the next.
"""

an_angle_for_every_column = {
    "arange(0, d, 2,": "arange(d,",
    "[angles.sin(), angles.cos()]": "[angles[:, 0::2].sin(), angles[:, 1::2].cos()]",
}
"""Each column has an angle of its own, so that sine and cosine belong to different hands: a pair shares one.

How many different speeds are there for `d` columns?
"""

exponent_without_the_two = {"arange(0, d, 2,": "arange(d // 2,"}
"""The exponent of pair i is i / d here, so the slowest hand is far too fast: it should be 2i / d."""

exponent_doubled = {"-(torch.arange": "-(2 * torch.arange"}
"""The exponent is twice what it should be: where 2i already counts columns, it needs no second factor 2."""

last_hand_turns_by_one_ten_thousandth = {
    "-(torch.arange(0, d, 2, dtype=torch.float64) / d)": """
        -(torch.arange(d // 2, dtype=torch.float64) / max(d // 2 - 1, 1))
    """
}
"""The speeds are spread so that the last is 1/10000: that divides by the number of steps, d/2 - 1, not by d/2."""

sine_and_cosine_swapped = {"angles.sin(), angles.cos()": "angles.cos(), angles.sin()"}
"""The cosine stands before the sine: even columns are the sines."""

sines_only = {"angles.cos()": "angles.sin()"}
"""Both columns of a pair are sines: the second should be the cosine, or the hand has no direction."""

places_from_one = {
    "torch.arange(n, dtype=torch.float64)[:, None]": "torch.arange(1, n + 1, dtype=torch.float64)[:, None]"
}
"""The first place is counted as 1: count from 0, so that the first row is made of 0 and 1."""

multiplied_by_the_power = {"** -(": "** ("}
"""The place is multiplied by the power of 10000 here, so every hand is faster than the one before: divide."""

e_for_ten_thousand = {"10000.0": "math.e"}
"""`exp(-2i / d)` is a power of e: without the logarithm of 10000 in the exponent all hands are nearly as fast."""

a_thousand = {"10000.0": "1000.0"}
"""The slowest hands are too fast: the base of the powers is 1000 here, and should be 10000."""

places_as_shares = {"[:, None] *": "[:, None] / n *"}
"""The places are divided by their number, so that one step is another angle in every table: leave them whole."""

degrees = {
    "torch.arange(n, dtype=torch.float64)[:, None] * speeds": """
        torch.deg2rad(torch.arange(n, dtype=torch.float64)[:, None] * speeds)
    """
}
"""The angles are turned into radians, but they are radians already, as `sin` and `cos` expect."""

turned_round = {".flatten(-2)": ".flatten(-2).T"}
"""The table lies on its side: one row for each place, one column for each number of a word."""

size_written_as_a_number = {"/ d)": "/ 4)"}
"""The width is written into the exponent as a number: use `d`."""

angles_not_bent = {"angles.sin(), angles.cos()": "angles, angles"}
"""These are the angles themselves: their sine and cosine are wanted, which stay between -1 and 1."""

not_returned = {"return torch": "torch"}
