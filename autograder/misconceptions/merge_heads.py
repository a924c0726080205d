"""Mistakes seen in answers to merge_heads."""

reshaped_without_swapping_back = {
    """
        return x.transpose(-3, -2).flatten(start_dim=-2)  # (..., h, n, d_h) to (..., n, h, d_h) to (..., n, h * d_h)
    """: """
        *batch, h, n, d_h = x.shape
        return x.reshape(*batch, n, h * d_h)
    """
}
"""`reshape` alone gives the right shape, but it reads head after head, so that rows mix up tokens.

First bring the parts of a token next to each other. Which two axes have to change places?
"""

viewed_after_the_swap = {
    "return x.transpose(-3, -2).flatten(start_dim=-2)": """
        *batch, h, n, d_h = x.shape
        return x.transpose(-3, -2).view(*batch, n, h * d_h)
    """
}
"""`view` cannot read in one line what a swap has noted down in another order: `reshape` copies where it has to."""

not_joined = {".flatten(start_dim=-2)": ""}
"""The axes are swapped back, but not joined: the heads' parts of a token should become one row."""

swapped_from_the_front = {"transpose(-3, -2)": "transpose(1, 2)"}
"""`transpose(1, 2)` swaps heads and tokens only where there is exactly one batch axis: count from the end."""

one_batch_axis_expected = {
    "return x.transpose(-3, -2).flatten(start_dim=-2)": """
        b, h, n, d_h = x.shape
        return x.transpose(1, 2).reshape(b, n, h * d_h)
    """
}
"""The shape is unpacked into exactly four sizes, so that one sentence, or two batch axes, will not fit.

A star takes whatever stands in front: `*batch, h, n, d_h = x.shape`.
"""

first_axis_taken_for_the_heads = {"x.transpose(-3, -2).flatten(start_dim=-2)": "torch.cat(list(x), dim=-1)"}
"""The first axis is taken for the heads, which it is for one sentence only: with a batch it counts sentences."""

batch_axes_joined_too = {
    "return x.transpose(-3, -2).flatten(start_dim=-2)": """
        *_, h, n, d_h = x.shape
        return x.transpose(-3, -2).reshape(-1, n, h * d_h)
    """
}
"""All axes in front of the tokens are joined into one: batch axes have to come out as they went in."""

interleaved = {"transpose(-3, -2)": "movedim(-3, -1)"}
"""The numbers of the heads alternate in a row: the whole part of the first head comes first, then the next."""

heads_lined_up_as_tokens = {"x.transpose(-3, -2).flatten(start_dim=-2)": "x.flatten(-3, -2)"}
"""The heads come one after the other, as if they were more tokens: their parts belong side by side, in one row."""

heads_added_up = {"x.transpose(-3, -2).flatten(start_dim=-2)": "x.sum(dim=-3)"}
"""The heads are added up, after which nobody can tell what came from which: put them side by side."""

heads_averaged = {"x.transpose(-3, -2).flatten(start_dim=-2)": "x.mean(dim=-3)"}
"""The heads are averaged, after which nobody can tell what came from which: put them side by side."""

heads_in_reverse = {"x.transpose": "x.flip(-3).transpose"}
"""The heads stand in a row in the wrong order: the part of the first head comes first."""

size_written_as_a_number = {".flatten(start_dim=-2)": ".reshape(*x.shape[:-3], x.shape[-2], 4)"}
"""A size is written into the code: work out the width of a row from the shape of what comes in."""

graph_cut = {"x.transpose": "x.detach().transpose"}
"""The numbers are right, but no gradient arrives: `.data` and `detach` cut the graph, so nothing can be trained."""

not_returned = {"return x": "x"}
