"""Mistakes seen in answers to rotate."""

import torch


def _speeds(d, base):
    return base ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)


def _angles(x, positions, base):
    """The right ones, (n, d / 2)."""
    return positions[:, None] * _speeds(x.shape[-1], base)


def _waves(x, angles):
    return angles.cos().to(x.dtype), angles.sin().to(x.dtype)


def _dealt_out(first, second):
    return torch.stack([first, second], dim=-1).flatten(-2)


def _turned(x, angles):
    """The right turn by these angles."""
    cos, sin = _waves(x, angles)
    first, second = x[..., 0::2], x[..., 1::2]
    return _dealt_out(first * cos - second * sin, first * sin + second * cos)


def _swapped_halves(x):
    first, second = x.chunk(2, dim=-1)
    return torch.cat([-second, first], dim=-1)


def _swapped_neighbours(x):
    return _dealt_out(-x[..., 1::2], x[..., 0::2])


def half_split(x, positions, base=10000.0):
    """Column i is turned together with column i + d/2, half with half: here the pairs are neighbours.

    Lengths are kept and scores depend on distance this way too, but trained weights expect one of the two. Which
    columns are the first pair?
    """
    cos, sin = _waves(x, _angles(x, positions, base).repeat(1, 2))
    return x * cos + _swapped_halves(x) * sin


def angles_of_halves_for_neighbours(x, positions, base=10000.0):
    """Neighbours are swapped, but the row of angles is repeated as a whole, so the two of a pair turn differently.

    `repeat` and `torch.cat` put the row behind itself. Which function repeats each angle in its place?
    """
    cos, sin = _waves(x, _angles(x, positions, base).repeat(1, 2))
    return x * cos + _swapped_neighbours(x) * sin


def angles_of_neighbours_for_halves(x, positions, base=10000.0):
    """Each angle is repeated for two neighbours, as it should be, but it is the halves that are swapped."""
    cos, sin = _waves(x, _angles(x, positions, base).repeat_interleave(2, dim=-1))
    return x * cos + _swapped_halves(x) * sin


def put_back_in_halves(x, positions, base=10000.0):
    """Pairs are read from neighbouring columns but put back half by half: each number belongs where it came from."""
    turned = _turned(x, _angles(x, positions, base))
    return torch.cat([turned[..., 0::2], turned[..., 1::2]], dim=-1)


def read_in_halves(x, positions, base=10000.0):
    """Pairs are read half by half but put back as neighbours: each number belongs where it came from."""
    return _turned(_dealt_out(*x.chunk(2, dim=-1)), _angles(x, positions, base))


def turned_the_other_way(x, positions, base=10000.0):
    """The pairs turn clockwise: the sign of the sine is the other way round.

    Turn (1, 0) by a small angle. Is its second number above 0?
    """
    return _turned(x, -_angles(x, positions, base))


def both_sines_added(x, positions, base=10000.0):
    """Both products with the sine are added, so lengths change: in one of the two formulas it is subtracted."""
    cos, sin = _waves(x, _angles(x, positions, base))
    first, second = x[..., 0::2], x[..., 1::2]
    return _dealt_out(first * cos + second * sin, first * sin + second * cos)


def second_made_of_the_first_turned(x, positions, base=10000.0):
    """The second number is computed from the first one after that has changed: both need the old pair."""
    cos, sin = _waves(x, _angles(x, positions, base))
    first, second = x[..., 0::2], x[..., 1::2]
    first = first * cos - second * sin
    return _dealt_out(first, first * sin + second * cos)


def sine_and_cosine_swapped(x, positions, base=10000.0):
    """Sine and cosine have changed places, so that even place 0 is turned, by a right angle.

    What are the sine and the cosine of 0?
    """
    sin, cos = _waves(x, _angles(x, positions, base))
    first, second = x[..., 0::2], x[..., 1::2]
    return _dealt_out(first * cos - second * sin, first * sin + second * cos)


def cosines_only(x, positions, base=10000.0):
    """Each number is multiplied by its cosine, or its sine, without its neighbour: turning mixes the two of a pair."""
    cos, sin = _waves(x, _angles(x, positions, base))
    return _dealt_out(x[..., 0::2] * cos, x[..., 1::2] * sin)


def waves_added(x, positions, base=10000.0):
    """The waves are added to the rows, as sinusoidal positions are: here they turn the rows."""
    cos, sin = _waves(x, _angles(x, positions, base))
    return x + _dealt_out(sin, cos)


def not_turned(x, positions, base=10000.0):
    """The rows come back as they were: lengths are kept, but no place has left a trace."""
    return x.clone()


def one_speed_for_all_pairs(x, positions, base=10000.0):
    """All pairs turn at the same speed, 1 radian a step: pair i is slower by a factor of base^(2i / d)."""
    return _turned(x, positions[:, None].double().expand(-1, x.shape[-1] // 2))


def exponent_without_the_two(x, positions, base=10000.0):
    """The exponent of pair i is i / d here, so the slow pairs turn far too fast: it should be 2i / d."""
    speeds = base ** -(torch.arange(x.shape[-1] // 2, dtype=torch.float64) / x.shape[-1])
    return _turned(x, positions[:, None] * speeds)


def exponent_doubled(x, positions, base=10000.0):
    """The exponent is twice what it should be: where 2i already counts columns, it needs no second 2."""
    return _turned(x, positions[:, None] * _speeds(x.shape[-1], base) ** 2)


def multiplied_by_the_power(x, positions, base=10000.0):
    """The place is multiplied by the power of the base, so each pair is faster than the one before: divide."""
    return _turned(x, positions[:, None] / _speeds(x.shape[-1], base))


def fastest_pair_last(x, positions, base=10000.0):
    """The speeds are in the wrong order: the first pair is the fastest."""
    return _turned(x, _angles(x, positions, base).flip(-1))


def base_ignored(x, positions, base=10000.0):
    """The base is written into the code as 10000: take the one that is given."""
    return _turned(x, _angles(x, positions, 10000.0))


def places_counted_instead(x, positions, base=10000.0):
    """The rows are counted 0, 1, 2, whatever `positions` says: take each row's place from there."""
    return _turned(x, torch.arange(x.shape[-2])[:, None] * _speeds(x.shape[-1], base))


def places_from_one(x, positions, base=10000.0):
    """Each row is turned one step too far: place 0 is not turned at all. Scores do not show it, the rows do."""
    return _turned(x, _angles(x, positions + 1, base))


def float32_angles(x, positions, base=10000.0):
    """The angles are worked out in float32, which near place 100,000 leaves three digits of them: use float64.

    Sine and cosine may be converted to the dtype of `x` when they are done.
    """
    speeds = base ** -(torch.arange(0, x.shape[-1], 2, dtype=torch.float32) / x.shape[-1])
    return _turned(x, positions[:, None].float() * speeds)


def places_divided_in_float32(x, positions, base=10000.0):
    """The places are divided by the powers in float32, so that far away few digits are left: divide in float64."""
    return _turned(x, positions[:, None].float() / base ** (torch.arange(0, x.shape[-1], 2) / x.shape[-1]))


def one_batch_axis_expected(x, positions, base=10000.0):
    """The shape is unpacked into exactly three sizes, so that rows without a batch, or with two axes, will not fit.

    A star takes whatever stands in front: `*batch, n, d = x.shape`.
    """
    b, n, d = x.shape
    return _turned(x.reshape(b, n, d), _angles(x, positions, base))


def places_along_the_batch(x, positions, base=10000.0):
    """The first axis is taken for the places, but with a batch it counts sentences: the rows are the axis before last.

    Count axes from the end.
    """
    angles = _angles(x, positions, base)
    return _turned(x, angles.reshape(len(positions), *[1] * (x.dim() - 2), -1))


def cut_from_the_graph(x, positions, base=10000.0):
    """A part is detached, so that gradients do not reach `x`: leave out `detach`, `.data` and `no_grad`."""
    return _turned(x.detach(), _angles(x, positions, base))


def changes_its_input(x, positions, base=10000.0):
    """The rows are turned in place, for whoever uses `x` next too: write the result into a new tensor."""
    return x.data.copy_(_turned(x, _angles(x, positions, base)))


def not_returned(x, positions, base=10000.0):
    """The rows may have been turned, but the function does not hand them back: it needs a `return`."""
