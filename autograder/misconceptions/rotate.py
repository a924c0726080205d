"""Mistakes seen in answers to rotate."""

half_split = {
    "x[..., 0::2], x[..., 1::2]": "x.chunk(2, dim=-1)",
    "torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2)": """
        torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)
    """,
}
"""Column i is turned together with column i + d/2, half with half. Scores depend on the offset this way too, but
trained weights expect one of the two.

Which columns are the first pair in the docstring? Rotate `[1, 0, 0, 0]` by one place.

The pairs should be neighbours: columns 0 and 1, 2 and 3.
"""

angles_of_halves_for_neighbours = {
    """
        first, second = x[..., 0::2], x[..., 1::2]  # (..., n, d / 2)
        return torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2)
    """: """
        swapped = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
        return x * cos.repeat(1, 2) + swapped * sin.repeat(1, 2)
    """
}
"""The two columns of a pair are turned by different angles, as when the row of angles is repeated as a whole. With one
pair nothing shows.

Print the angles that meet columns 0 and 1. How does `repeat` differ from `repeat_interleave`?

Both columns of a pair should be turned by the same angle.
"""

angles_of_neighbours_for_halves = {
    """
        first, second = x[..., 0::2], x[..., 1::2]  # (..., n, d / 2)
        return torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2)
    """: """
        first, second = x.chunk(2, dim=-1)
        swapped = torch.cat([-second, first], dim=-1)
        return x * cos.repeat_interleave(2, dim=-1) + swapped * sin.repeat_interleave(2, dim=-1)
    """
}
"""Each angle serves two neighbours, but the numbers are swapped with those of the other half. With one pair nothing
shows.

Rotate `[1, 0, 0, 0]` by one place. In which columns should something appear?

The pairs should be neighbours throughout: columns 0 and 1, 2 and 3.
"""

put_back_in_halves = {
    "torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2)": """
        torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)
    """
}
"""Neighbours are turned as pairs, but they are put back half by half. With one pair nothing shows.

Rotate by place 0. Does the row come back as it was?

Each number should go back to where it came from.
"""

read_in_halves = {"x[..., 0::2], x[..., 1::2]": "x.chunk(2, dim=-1)"}
"""Pairs are read half by half, but they are put back as neighbours. With one pair nothing shows.

Rotate by place 0. Does the row come back as it was?

Each number should go back to where it came from.
"""

turned_the_other_way = {"angles.sin()": "-angles.sin()"}
"""The pairs turn clockwise. Lengths are kept, and scores depend on the offset this way too.

Turn (1, 0) by a small angle. Is its second number above 0?

The pairs should turn counter-clockwise: (1, 0) at place 1 becomes (0.54, 0.841).
"""

both_sines_added = {"first * cos - second * sin": "first * cos + second * sin"}
"""Both products with the sine are added, so lengths change.

Compare the lengths of a row before and after.

The pair should become first · cos - second · sin and first · sin + second · cos.
"""

second_made_of_the_first_turned = {
    "return torch.stack([first * cos - second * sin,": """
        first = first * cos - second * sin
        return torch.stack([first,
    """
}
"""The second number of a pair is computed from the first after that has changed, so lengths change.

Compare the lengths of a row before and after.

Both new numbers should be made of the old pair.
"""

sine_and_cosine_swapped = {"cos, sin = angles": "sin, cos = angles"}
"""Sine and cosine have changed places, so even place 0 is turned, by a right angle. Lengths are kept.

Rotate by place 0. Does the row come back as it was?

At place 0 nothing should change: the cosine of 0 is 1, its sine 0.
"""

cosines_only = {"first * cos - second * sin, first * sin + second * cos": "first * cos, second * sin"}
"""Each number is multiplied by a cosine or a sine, and its neighbour has no part in it, so lengths shrink.

Rotate `[1, 0]` by one place. Where should the 0.841 come from?

Both new numbers should be made of both old ones.
"""

waves_added = {"first * cos - second * sin, first * sin + second * cos": "first + sin, second + cos"}
"""The waves are added to the rows, as sinusoidal positions are.

Rotate a row of zeros. What should come out?

The rows should be turned, so that their lengths stay.
"""

not_turned = {
    "return torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2)": """
        return x.clone()
    """
}
"""The rows come back as they were: lengths are kept, but no place has left a trace.

Rotate the same row by 1 and by 5 places, and compare.

Each pair should be turned by an angle that grows with the place.
"""

one_speed_for_all_pairs = {
    "-(torch.arange(0, d, 2, dtype=torch.float64) / d)": "torch.zeros(d // 2, dtype=torch.float64)"
}
"""All pairs turn at the same speed, by 1 radian for each place. The first pair is right.

Rotate `[1, 0, 1, 0]` by one place: the second pair should become 1.0 and 0.01.

Pair i should be slower than the first by the factor base^(2i / d).
"""

exponent_without_the_two = {"arange(0, d, 2,": "arange(d // 2,"}
"""The exponent of pair i comes out as i / d, so the slow pairs turn far too fast. The first pair is right.

Rotate `[1, 0, 1, 0]` by one place: the second pair should become 1.0 and 0.01.

The exponent of pair i should be 2i / d.
"""

exponent_doubled = {"-(torch.arange": "-(2 * torch.arange"}
"""The exponent of pair i comes out as 4i / d, so the slow pairs turn far too slowly. The first pair is right.

Rotate `[1, 0, 1, 0]` by one place: the second pair should become 1.0 and 0.01. Does your i count pairs, or columns?

The exponent of pair i should be 2i / d.
"""

multiplied_by_the_power = {"** -(": "** ("}
"""Each pair is faster than the one before: the place is multiplied by the power of the base. The first pair is right.

Rotate `[1, 0, 1, 0]` by one place: the second pair should become 1.0 and 0.01.

The place should be divided by base^(2i / d).
"""

fastest_pair_last = {"[:, None] * speeds": "[:, None] * speeds.flip(-1)"}
"""The speeds come in the opposite order: the last pair is the fastest. With one pair nothing shows.

Rotate `[1, 0, 1, 0]` by one place. Which pair should have moved much?

The first pair should be the fastest.
"""

base_ignored = {"speeds = base **": "speeds = 10000.0 **"}
"""The base is always 10000, which is the default, whatever is given.

Call it with `base=100`, and compare.

The speeds should be powers of the `base` that is given.
"""

places_counted_instead = {"positions[:, None]": "torch.arange(x.shape[-2])[:, None]"}
"""The rows are at places 0, 1, 2, whatever `positions` says. For a text from its beginning that is right.

Rotate one row with `positions` of 5.

Each row should be at the place that `positions` gives it.
"""

places_from_one = {"positions[:, None]": "(positions[:, None] + 1)"}
"""Each row is turned one step too far. Scores do not show it, because all are moved alike.

Rotate by place 0. Does the row come back as it was?

At place 0 nothing should change.
"""

float32_angles = {
    "base ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)": "1 / base ** (torch.arange(0, d, 2).float() / d)",
    "positions[:, None]": "positions[:, None].float()",
}
"""It is worked out in float32, the angles at least, which leaves about three digits of them near place 100,000. At the
first places hardly anything shows.

Compare the scores at places 0 and 5 with those at 100,000 and 100,005.

The angles should be worked out in float64, and the pairs turned in the dtype of `x`.
"""

places_divided_in_float32 = {
    "base ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)": "base ** (torch.arange(0, d, 2) / d)",
    "positions[:, None] * speeds": "positions[:, None].float() / speeds",
}
"""The places are divided in float32, so far away few digits of the angles are left. At the first places nothing shows.

Compare the scores at places 0 and 5 with those at 100,000 and 100,005.

The angles should be worked out in float64; sine and cosine can take the dtype of `x` afterwards.
"""

one_batch_axis_expected = {"d = x.shape[-1]": "b, n, d = x.shape"}
"""Rows without a batch axis, or with two, raise an error. With exactly one it works.

Call it with tensors of the shapes (3, 4) and (5, 2, 3, 4).

Any number of batch axes should do.
"""

places_along_the_batch = {"positions[:, None] * speeds": "positions.reshape(-1, *[1] * (x.dim() - 1)) * speeds"}
"""The first axis is taken for the places. For rows without a batch that is right; with one it counts sentences.

Call it with two equal sentences of two words as a batch, and compare their results.

The places should run along the last axis but one.
"""

cut_from_the_graph = {
    "first, second = x[..., 0::2], x[..., 1::2]": "first, second = x.detach()[..., 0::2], x.detach()[..., 1::2]"
}
"""The numbers are right, but no gradient gets back to `x`, as after `detach` or `.data` or under `no_grad`.

Let `x` ask for gradients, and print `requires_grad` of the result.

Gradients should flow back to `x`.
"""

changes_its_input = {
    "return torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2)": """
        turned = torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2)
        return x.data.copy_(turned)
    """
}
"""The result is right, but after the call `x` is turned, too, for whoever uses it next.

Print `x` before and after the call.

The call should leave its arguments as they are.
"""

not_returned = {"return torch": "torch"}
