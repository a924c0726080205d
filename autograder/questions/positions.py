"""Questions on positions."""

from autograder.questions.question import Question

QUESTIONS = (
    Question(
        "What do the six numbers of the first position sum to?",
        given="table = sinusoidal_positions(10, 6)\nfirst = table[0]",
        right="first.sum().item()",
        misconceptions=("sinusoidal_positions.sines_only", "sinusoidal_positions.positions_from_one"),
        slips={"6": "A cosine is 1 at angle 0, but every second column is a sine, which is 0 there."},
        because="Positions are counted from 0, and at angle 0 every sine is 0 and every cosine is 1: three of each.",
    ),
    Question(
        "There are 8 columns, so 4 clock hands. How many times slower than the first hand is the second? "
        "(10000 is 10 ** 4.)",
        given=(
            "step = sinusoidal_positions(2, 8)[1]\n"
            "angles = torch.atan2(step[0::2], step[1::2])  # of each hand, after one step"
        ),
        right="(angles[0] / angles[1]).item()",
        misconceptions=(
            "sinusoidal_positions.exponent_without_the_two",
            "sinusoidal_positions.exponent_doubled",
            "sinusoidal_positions.last_frequency_exactly_1_over_10000",
            "sinusoidal_positions.base_1000",
        ),
        because=(
            "Hand i turns by 1 / 10000^(2i / d) for each position. 10000^(2 / 8) is the fourth root, so each hand "
            "is 10 times slower than the one before."
        ),
    ),
    Question(
        "Which dot product of two rows equals that of the positions 10 and 13?",
        given="table = sinusoidal_positions(60, 8)\nproducts = table @ table.T",
        options={
            "That of 20 and 26: at twice the position, twice as far apart.": (
                "torch.isclose(products[10, 13], products[20, 26])",
                "A hand turns by the same angle at every step, early or late in the text.",
            ),
            "That of 40 and 43.": ("torch.isclose(products[10, 13], products[40, 43])", ""),
            "No other: each position has its own row.": (
                "torch.isclose(products, products[10, 13]).sum() == 2",
                "The rows differ, but the dot product depends only on the angle between the hands.",
            ),
        },
        because=(
            "Each hand contributes sin a sin b + cos a cos b = cos(a - b), which depends only on the distance, here 3."
        ),
    ),
    Question(
        "A row of length 5 is rotated by position 7. How long is it afterwards?",
        given="x = torch.tensor([[3.0, 4.0]])\nturned = rotate(x, torch.tensor([7]))",
        right="turned.norm().item()",
        misconceptions=("rotate.both_sines_added", "rotate.cosines_only", "rotate.encoding_added_instead_of_rotation"),
        slips={
            "7 * x.norm().item()": "The position only determines the angle. The row itself is not multiplied by it."
        },
        because=(
            "A point that rotates around the origin keeps its distance from it, so later words do not get larger "
            "vectors."
        ),
    ),
    Question(
        "Only the first number of a row is not 0. Which numbers are not 0 after the rotation?",
        given="x = torch.tensor([[1.0, 0.0, 0.0, 0.0]])\nturned = rotate(x, torch.tensor([1]))",
        options={
            "The first.": ("(turned != 0).tolist() == [[True, False, False, False]]", "rotate.cosines_only"),
            "The first and the second.": ("(turned != 0).tolist() == [[True, True, False, False]]", ""),
            "The first and the third.": ("(turned != 0).tolist() == [[True, False, True, False]]", "rotate.half_split"),
            "All four.": ("(turned != 0).all()", "rotate.encoding_added_instead_of_rotation"),
        },
        because="Adjacent columns form a pair: columns 0 and 1 are one point in a plane, columns 2 and 3 another.",
    ),
    Question(
        "A single query, at position 3, is rotated. By what angle is its first pair rotated, in radians?",
        given=(
            "query = torch.tensor([[1.0, 0.0, 1.0, 0.0]])\n"
            "x, y = rotate(query, torch.tensor([3]))[0, :2].tolist()\n"
            "angle = math.atan2(y, x) % math.tau  # between 0 and one whole turn, 6.28"
        ),
        right="angle",
        misconceptions=("rotate.positions_ignored", "rotate.positions_from_one", "rotate.frequencies_reversed"),
        because=(
            "The first pair rotates by 1 radian for each position, and the position comes from `positions`, not "
            "from the row's index."
        ),
    ),
)
