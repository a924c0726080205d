"""Mistakes seen in answers to rotate."""

half_split = {
    "x[..., 0::2], x[..., 1::2]": "x.chunk(2, dim=-1)",
    "torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2)": """
        torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)
    """,
}
"""Column i is turned together with column i + d/2, half with half: here the pairs are neighbours.

Lengths are kept and scores depend on distance this way too, but trained weights expect one of the two. Which
columns are the first pair?
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
"""Neighbours are swapped, but the row of angles is repeated as a whole, so the two of a pair turn differently.

`repeat` and `torch.cat` put the row behind itself. Which function repeats each angle in its place?
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
"""Each angle is repeated for two neighbours, as it should be, but it is the halves that are swapped."""

put_back_in_halves = {
    "torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2)": """
        torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)
    """
}
"""Pairs are read from neighbouring columns but put back half by half: each number belongs where it came from."""

read_in_halves = {"x[..., 0::2], x[..., 1::2]": "x.chunk(2, dim=-1)"}
"""Pairs are read half by half but put back as neighbours: each number belongs where it came from."""

turned_the_other_way = {"angles.sin()": "-angles.sin()"}
"""The pairs turn clockwise: the sign of the sine is the other way round.

Turn (1, 0) by a small angle. Is its second number above 0?
"""

both_sines_added = {"first * cos - second * sin": "first * cos + second * sin"}
"""Both products with the sine are added, so lengths change: in one of the two formulas it is subtracted."""

second_made_of_the_first_turned = {
    "return torch.stack([first * cos - second * sin,": """
        first = first * cos - second * sin
        return torch.stack([first,
    """
}
"""The second number is computed from the first one after that has changed: both need the old pair."""

sine_and_cosine_swapped = {"cos, sin = angles": "sin, cos = angles"}
"""Sine and cosine have changed places, so that even place 0 is turned, by a right angle.

What are the sine and the cosine of 0?
"""

cosines_only = {"first * cos - second * sin, first * sin + second * cos": "first * cos, second * sin"}
"""Each number is multiplied by its cosine, or its sine, without its neighbour: turning mixes the two of a pair."""

waves_added = {"first * cos - second * sin, first * sin + second * cos": "first + sin, second + cos"}
"""The waves are added to the rows, as sinusoidal positions are: here they turn the rows."""

not_turned = {
    "return torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2)": """
        return x.clone()
    """
}
"""The rows come back as they were: lengths are kept, but no place has left a trace."""

one_speed_for_all_pairs = {
    "-(torch.arange(0, d, 2, dtype=torch.float64) / d)": "torch.zeros(d // 2, dtype=torch.float64)"
}
"""All pairs turn at the same speed, 1 radian a step: pair i is slower by a factor of base^(2i / d)."""

exponent_without_the_two = {"arange(0, d, 2,": "arange(d // 2,"}
"""The exponent of pair i is i / d here, so the slow pairs turn far too fast: it should be 2i / d."""

exponent_doubled = {"-(torch.arange": "-(2 * torch.arange"}
"""The exponent is twice what it should be: where 2i already counts columns, it needs no second 2."""

multiplied_by_the_power = {"** -(": "** ("}
"""The place is multiplied by the power of the base, so each pair is faster than the one before: divide."""

fastest_pair_last = {"[:, None] * speeds": "[:, None] * speeds.flip(-1)"}
"""The speeds are in the wrong order: the first pair is the fastest."""

base_ignored = {"speeds = base **": "speeds = 10000.0 **"}
"""The base is written into the code as 10000: take the one that is given."""

places_counted_instead = {"positions[:, None]": "torch.arange(x.shape[-2])[:, None]"}
"""The rows are counted 0, 1, 2, whatever `positions` says: take each row's place from there."""

places_from_one = {"positions[:, None]": "(positions[:, None] + 1)"}
"""Each row is turned one step too far: place 0 is not turned at all. Scores do not show it, the rows do."""

float32_angles = {
    "base ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)": "1 / base ** (torch.arange(0, d, 2).float() / d)",
    "positions[:, None]": "positions[:, None].float()",
}
"""The angles are worked out in float32, which near place 100,000 leaves three digits of them: use float64.

Sine and cosine may be converted to the dtype of `x` when they are done.
"""

places_divided_in_float32 = {
    "base ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)": "base ** (torch.arange(0, d, 2) / d)",
    "positions[:, None] * speeds": "positions[:, None].float() / speeds",
}
"""The places are divided by the powers in float32, so that far away few digits are left: divide in float64."""

one_batch_axis_expected = {"d = x.shape[-1]": "b, n, d = x.shape"}
"""The shape is unpacked into exactly three sizes, so that rows without a batch, or with two axes, will not fit.

A star takes whatever stands in front: `*batch, n, d = x.shape`.
"""

places_along_the_batch = {"positions[:, None] * speeds": "positions.reshape(-1, *[1] * (x.dim() - 1)) * speeds"}
"""The first axis is taken for the places, but with a batch it counts sentences: the rows are the axis before last.

Count axes from the end.
"""

cut_from_the_graph = {
    "first, second = x[..., 0::2], x[..., 1::2]": "first, second = x.detach()[..., 0::2], x.detach()[..., 1::2]"
}
"""A part is detached, so that gradients do not reach `x`: leave out `detach`, `.data` and `no_grad`."""

changes_its_input = {
    "return torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2)": """
        turned = torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1).flatten(-2)
        return x.data.copy_(turned)
    """
}
"""The rows are turned in place, for whoever uses `x` next too: write the result into a new tensor."""

not_returned = {"return torch": "torch"}
