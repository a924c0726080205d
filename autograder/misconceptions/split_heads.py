"""Mistakes seen in answers to split_heads."""

reshaped_without_swapping = {
    """
        parts = x.reshape(*x.shape[:-1], num_heads, d // num_heads)  # (..., n, h, d_h)
        return parts.transpose(-3, -2)  # (..., h, n, d_h)
    """: "return x.reshape(*x.shape[:-2], num_heads, x.shape[-2], d // num_heads)"
}
"""`reshape` alone gives the right shape, but it reads the numbers in order: heads get parts of the wrong tokens.

Split the last axis first. What is then still in the wrong place?
"""

not_swapped = {"parts.transpose(-3, -2)": "parts"}
"""The last axis is split, but the head axis still stands behind the tokens: it belongs in front of them."""

wrong_axes_swapped = {"transpose(-3, -2)": "transpose(-2, -1)"}
"""The last two axes changed places, heads and their numbers: it is heads and tokens that have to."""

swapped_from_the_front = {"transpose(-3, -2)": "transpose(0, 1)"}
"""`transpose(0, 1)` is right for one sentence only: with a batch, axis 0 counts sentences. Count from the end."""

one_batch_axis_expected = {
    "d = x.shape[-1]": "b, n, d = x.shape",
    "x.reshape(*x.shape[:-1], num_heads, d // num_heads)": "x.reshape(b, n, num_heads, d // num_heads)",
}
"""The shape is unpacked into exactly three sizes, so that one sentence, or two batch axes, will not fit.

A star takes whatever stands in front: `*batch, n, d = x.shape`.
"""

interleaved = {
    "num_heads, d // num_heads)  # (..., n, h, d_h)": "d // num_heads, num_heads)",
    "transpose(-3, -2)": "movedim(-1, -3)",
}

cut_into_parts_of_that_size = {
    """
        parts = x.reshape(*x.shape[:-1], num_heads, d // num_heads)  # (..., n, h, d_h)
        return parts.transpose(-3, -2)
    """: "return torch.stack(x.split(num_heads, dim=-1), dim=-3)"
}
"""The number of heads is taken for the width of one, as `torch.split` does: `num_heads` says how many parts.

Test it where the two differ, such as 2 heads and 6 numbers.
"""

stacked_in_front_of_the_batch = {
    """
        parts = x.reshape(*x.shape[:-1], num_heads, d // num_heads)  # (..., n, h, d_h)
        return parts.transpose(-3, -2)  # (..., h, n, d_h)
    """: "return torch.stack(x.chunk(num_heads, dim=-1), dim=0)"
}
"""The heads are stacked in front of everything, the batch too: their axis stands just before the tokens."""

whole_tokens_for_every_head = {
    """
        parts = x.reshape(*x.shape[:-1], num_heads, d // num_heads)  # (..., n, h, d_h)
        return parts.transpose(-3, -2)  # (..., h, n, d_h)
    """: "return torch.stack([x] * num_heads, dim=-3)"
}
"""Every head gets whole tokens: the numbers of a token are to be shared among the heads, each a part."""

tokens_shared_instead_of_numbers = {
    """
        parts = x.reshape(*x.shape[:-1], num_heads, d // num_heads)  # (..., n, h, d_h)
        return parts.transpose(-3, -2)  # (..., h, n, d_h)
    """: "return torch.stack(x.chunk(num_heads, dim=-2), dim=-3)"
}
"""The tokens are shared among the heads: every head should see every token, but only some of its numbers."""

size_written_as_a_number = {"num_heads, d // num_heads)": "num_heads, 2)"}
"""The width of a head is written into the code: work it out from the width of the tokens."""

not_checked = {'if d % num_heads:\n    raise ValueError(f"{num_heads} heads do not divide the width {d}")': ""}
"""Nobody asks whether the heads divide the width, and what happens then is torch's error, not a `ValueError`."""

rest_dropped = {
    """
        if d % num_heads:
            raise ValueError(f"{num_heads} heads do not divide the width {d}")
    """: "x = x[..., : d // num_heads * num_heads]"
}
"""Where the heads do not divide the width, the numbers left over are dropped silently: raise a `ValueError`."""

uneven_parts = {
    """
        if d % num_heads:
            raise ValueError(f"{num_heads} heads do not divide the width {d}")
        parts = x.reshape(*x.shape[:-1], num_heads, d // num_heads)  # (..., n, h, d_h)
        return parts.transpose(-3, -2)  # (..., h, n, d_h)
    """: "return torch.stack(x.tensor_split(num_heads, dim=-1), dim=-3)"
}
"""Where the heads do not divide the width, the parts come out uneven, and torch cannot stack them: ask first."""

asserted = {
    """
        if d % num_heads:
            raise ValueError(f"{num_heads} heads do not divide the width {d}")
    """: 'assert d % num_heads == 0, "not divisible"'
}

graph_cut = {"x.reshape(": "x.detach().reshape("}
"""The numbers are right, but no gradient arrives: `.data` and `detach` cut the graph, so nothing can be trained."""

not_returned = {"return parts": "parts"}
