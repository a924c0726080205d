"""Mistakes seen in answers to sinusoidal_positions."""

half_split = {
    "torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)": """
        torch.cat([angles.sin(), angles.cos()], dim=-1)
    """
}
"""All sines stand in the first half of a row, and all cosines in the second. The numbers are right; with `d` 2 their
places are, too.

Print the row of place 1 for `d` 4 beside that of the example.

Sine and cosine should take turns: columns 0 and 1 are one hand of a clock, columns 2 and 3 the next.
"""

an_angle_for_every_column = {
    "arange(0, d, 2,": "arange(d,",
    "[angles.sin(), angles.cos()]": "[angles[:, 0::2].sin(), angles[:, 1::2].cos()]",
}
"""Each column has an angle of its own, so the sine and the cosine of a pair belong to different hands. The sines are
right.

How many different speeds are there for `d` columns? In each pair, add the squares: what should they give?

The two columns of a pair should be sine and cosine of the same angle.
"""

exponent_without_the_two = {"arange(0, d, 2,": "arange(d // 2,"}
"""The exponent of pair i comes out as i / d, so the slow hands are far too fast. The first pair is right.

By which factor should the last hand of a wide table be slower than the first? Print the speeds.

The exponent of pair i should be 2i / d.
"""

exponent_doubled = {"-(torch.arange": "-(2 * torch.arange"}
"""The exponent of pair i comes out as 4i / d, so the slow hands are far too slow. The first pair is right.

Print the speeds for `d` 4: the second should be 0.01. Does your i count pairs, or columns?

The exponent of pair i should be 2i / d.
"""

last_hand_turns_by_one_ten_thousandth = {
    "-(torch.arange(0, d, 2, dtype=torch.float64) / d)": """
        -(torch.arange(d // 2, dtype=torch.float64) / max(d // 2 - 1, 1))
    """
}
"""The speeds are spread so that the last one is exactly 1/10000: they are spaced too widely, in a wide table only a
little. For `d` above 2 the first pair is right.

Print the speeds for `d` 4: the second should be 0.01.

The exponent of pair i should be 2i / d, which does not quite reach 1.
"""

sine_and_cosine_swapped = {"angles.sin(), angles.cos()": "angles.cos(), angles.sin()"}
"""In each pair the cosine stands before the sine.

What are the sine and the cosine of 0? Print the first row.

Even columns should be the sines, odd columns the cosines.
"""

sines_only = {"angles.cos()": "angles.sin()"}
"""Both columns of a pair are sines, so a hand shows its height and not its direction.

In each pair, add the squares: what should they give?

The second column of each pair should be the cosine.
"""

places_from_one = {
    "torch.arange(n, dtype=torch.float64)[:, None]": "torch.arange(1, n + 1, dtype=torch.float64)[:, None]"
}
"""The first row belongs to place 1, so the whole table is moved by one place.

What are the sine and the cosine of 0? Print the first row.

Places should be counted from 0.
"""

multiplied_by_the_power = {"** -(": "** ("}
"""Every hand is faster than the one before: the place is multiplied by the power of 10000. The first pair is right.

Print the speeds for `d` 4. Which hand should be the slow one?

The place should be divided by 10000^(2i / d).
"""

e_for_ten_thousand = {"10000.0": "math.e"}
"""The speeds are powers of e, so even the slowest hand is more than a third as fast as the first.

Print the speeds for `d` 4: the second should be 0.01. What is the logarithm of 10000?

The place should be divided by 10000^(2i / d).
"""

a_thousand = {"10000.0": "1000.0"}
"""The base of the powers is 1000, so the slow hands are too fast. The first pair is right.

Print the speeds for `d` 4: the second should be 0.01.

The base should be 10000.
"""

places_as_shares = {"[:, None] *": "[:, None] / n *"}
"""The places are divided by their number, so a step has a smaller angle in a longer table.

Compare row 1 of a table with 3 rows and of one with 30.

Row p should be the same in every table of that width.
"""

degrees = {
    "torch.arange(n, dtype=torch.float64)[:, None] * speeds": """
        torch.deg2rad(torch.arange(n, dtype=torch.float64)[:, None] * speeds)
    """
}
"""The angles are treated as degrees, so all hands are 57 times too slow.

Print the sine of place 1 in the first column: is it 0.841?

The angles should go into `sin` and `cos` as they are, in radians.
"""

turned_round = {".flatten(-2)": ".flatten(-2).T"}
"""The table lies on its side: a place is a column. With `n` equal to `d` the shape looks right.

Print the shape for 3 places and `d` 4.

There should be one row for each place.
"""

size_written_as_a_number = {"/ d)": "/ 4)"}
"""The exponent does not change with the width. For tables of one width, such as that of an example, it is right.

Print the speeds for `d` 4 and for 6.

The exponent of pair i should be 2i / d, with the `d` that is given.
"""

angles_not_bent = {"angles.sin(), angles.cos()": "angles, angles"}
"""These are the angles themselves, which grow with the place.

Print the last row of a long table. Between which bounds should its numbers stay?

The columns should be the sines and the cosines of the angles.
"""

not_returned = {"return torch": "torch"}
