"""Mistakes seen in answers to merge_heads."""

reshaped_without_swapping_back = {
    """
        return x.transpose(-3, -2).flatten(start_dim=-2)  # (..., h, n, d_h) to (..., n, h, d_h) to (..., n, h * d_h)
    """: """
        *batch, h, n, d_h = x.shape
        return x.reshape(*batch, n, h * d_h)
    """
}
"""The shape is right, but the numbers are read head after head, as `reshape` alone reads them, so rows mix several
tokens.

Split `[[0., 1., 2., 3.], [4., 5., 6., 7.]]` into two heads and merge them again. What comes back?

Row i should hold the parts of token i, head after head, as it was before it was split.
"""

viewed_after_the_swap = {
    "return x.transpose(-3, -2).flatten(start_dim=-2)": """
        *batch, h, n, d_h = x.shape
        return x.transpose(-3, -2).view(*batch, n, h * d_h)
    """
}
"""An error is raised: `view` cannot read in one line what a swap of axes has left in another order.

Print `x.transpose(-3, -2).is_contiguous()`. What does the error suggest?

The parts of a token should end up in one row, even if the numbers have to be copied for it.
"""

not_joined = {".flatten(start_dim=-2)": ""}
"""Heads and tokens have changed places, but the parts of a token are not joined: there is one axis too many.

Print the shape of your result beside that of the example.

The parts of a token should become one row.
"""

swapped_from_the_front = {"transpose(-3, -2)": "transpose(1, 2)"}
"""Axes 1 and 2 change places, counted from the front. With exactly one batch axis that is right, with none or two it is
not.

Call it with tensors of the shapes (2, 3, 4) and (6, 5, 2, 3, 4).

Heads and tokens should change places, whatever stands in front.
"""

one_batch_axis_expected = {
    "return x.transpose(-3, -2).flatten(start_dim=-2)": """
        b, h, n, d_h = x.shape
        return x.transpose(1, 2).reshape(b, n, h * d_h)
    """
}
"""A single sentence, or two batch axes, raise an error. With exactly one batch axis it works.

Call it with tensors of the shapes (2, 3, 4) and (6, 5, 2, 3, 4).

Any number of batch axes should do.
"""

first_axis_taken_for_the_heads = {"x.transpose(-3, -2).flatten(start_dim=-2)": "torch.cat(list(x), dim=-1)"}
"""The first axis is taken for the heads. Without a batch that is right; with a batch it counts sentences.

Print the shape for a batch of 5.

The axis of the heads should be the third from the end.
"""

batch_axes_joined_too = {
    "return x.transpose(-3, -2).flatten(start_dim=-2)": """
        *_, h, n, d_h = x.shape
        return x.transpose(-3, -2).reshape(-1, n, h * d_h)
    """
}
"""With exactly one batch axis it is right. Without one the result has an axis too many, and two are not kept.

Print the shape for a single sentence, and for two batch axes.

Batch axes should come out as they went in.
"""

interleaved = {"transpose(-3, -2)": "movedim(-3, -1)"}
"""The numbers of the heads alternate in a row: the first of each head, then the second. Every shape is right.

Split `[[0., 1., 2., 3.]]` into two heads and merge them again. What comes back?

The whole part of head 0 should come first, then that of head 1.
"""

heads_lined_up_as_tokens = {"x.transpose(-3, -2).flatten(start_dim=-2)": "x.flatten(-3, -2)"}
"""The heads come one after the other, as if they were more tokens.

How many rows should there be for 3 tokens and 2 heads, and how many are there?

The parts of a token should stand side by side, in one row.
"""

heads_added_up = {"x.transpose(-3, -2).flatten(start_dim=-2)": "x.sum(dim=-3)"}
"""The heads are added up, after which nobody can tell what came from which.

How wide should a row be for 2 heads of width 4?

The parts of a token should stand side by side.
"""

heads_averaged = {"x.transpose(-3, -2).flatten(start_dim=-2)": "x.mean(dim=-3)"}
"""The heads are averaged, after which nobody can tell what came from which.

How wide should a row be for 2 heads of width 4?

The parts of a token should stand side by side.
"""

heads_in_reverse = {"x.transpose": "x.flip(-3).transpose"}
"""The parts of a token stand in the opposite order: that of the last head comes first. Every shape is right.

Split `[[0., 1., 2., 3.]]` into two heads and merge them again. What comes back?

The part of head 0 should come first.
"""

size_written_as_a_number = {".flatten(start_dim=-2)": ".reshape(*x.shape[:-3], x.shape[-2], 4)"}
"""The width of a row is always the same number. With the sizes of the example it is right.

Merge 2 heads of width 3.

The width of a row should be the number of heads times the width of one.
"""

graph_cut = {"x.transpose": "x.detach().transpose"}
"""The numbers are right, but no gradient passes, as after `.data` or `detach`, so nothing in front could be trained.

Let `x` ask for gradients, and print `requires_grad` of the result.

Gradients should flow back to `x`.
"""

not_returned = {"return x": "x"}
