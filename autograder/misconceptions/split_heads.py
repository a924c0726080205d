"""Mistakes seen in answers to split_heads."""

reshaped_without_swapping = {
    """
        parts = x.reshape(*x.shape[:-1], num_heads, d // num_heads)  # (..., n, h, d_h)
        return parts.transpose(-3, -2)  # (..., h, n, d_h)
    """: "return x.reshape(*x.shape[:-2], num_heads, x.shape[-2], d // num_heads)"
}
"""The numbers are read in memory order, as `reshape` alone reads them: several parts of one token come into the same
head. The shape is right.

Split two tokens, `[[0., 1., 2., 3.], [4., 5., 6., 7.]]`, into two heads. Which numbers has head 0?

Head 0 should get the first part of every token, head 1 the second, and so on.
"""

not_swapped = {"parts.transpose(-3, -2)": "parts"}
"""The last axis is split, but the head axis stands behind the tokens: `(..., n, h, d_h)`. With as many tokens as heads
the shape looks right.

Print the shape for 3 tokens and 2 heads.

The axis of the heads should stand in front of the tokens.
"""

wrong_axes_swapped = {"transpose(-3, -2)": "transpose(-2, -1)"}
"""The last axis is split, and then the last two have changed places, heads and their numbers.

Print the shape for 3 tokens of 8 numbers and 2 heads, after each step.

The shape should be `(..., h, n, d_h)`: heads and tokens change places.
"""

swapped_from_the_front = {"transpose(-3, -2)": "transpose(0, 1)"}
"""Axes 0 and 1 change places, counted from the front. Without a batch that is right; with a batch, axis 0 counts
sentences.

Print the shape for a batch of 5.

Heads and tokens should change places, whatever stands in front.
"""

one_batch_axis_expected = {
    "d = x.shape[-1]": "b, n, d = x.shape",
    "x.reshape(*x.shape[:-1], num_heads, d // num_heads)": "x.reshape(b, n, num_heads, d // num_heads)",
}
"""A single sentence, or two batch axes, raise an error. With exactly one batch axis it works.

Call it with tensors of the shapes (3, 4) and (5, 2, 3, 4).

Any number of batch axes should do.
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
"""The parts are `num_heads` numbers wide, as `torch.split` cuts them. Where that is also the width of a head, it is
right.

Split 6 numbers for 2 heads, and count the parts.

There should be `num_heads` parts.
"""

stacked_in_front_of_the_batch = {
    """
        parts = x.reshape(*x.shape[:-1], num_heads, d // num_heads)  # (..., n, h, d_h)
        return parts.transpose(-3, -2)  # (..., h, n, d_h)
    """: "return torch.stack(x.chunk(num_heads, dim=-1), dim=0)"
}
"""The heads are stacked in front of everything, the batch, too. Without a batch it is right.

Print the shape for a batch of 5.

The axis of the heads should stand just before the tokens.
"""

whole_tokens_for_every_head = {
    """
        parts = x.reshape(*x.shape[:-1], num_heads, d // num_heads)  # (..., n, h, d_h)
        return parts.transpose(-3, -2)  # (..., h, n, d_h)
    """: "return torch.stack([x] * num_heads, dim=-3)"
}
"""Every head gets whole tokens, so nothing is split. With one head it is right.

How many numbers should a head get of a token of 8, with 4 heads?

The numbers of a token should be shared out among the heads.
"""

tokens_shared_instead_of_numbers = {
    """
        parts = x.reshape(*x.shape[:-1], num_heads, d // num_heads)  # (..., n, h, d_h)
        return parts.transpose(-3, -2)  # (..., h, n, d_h)
    """: "return torch.stack(x.chunk(num_heads, dim=-2), dim=-3)"
}
"""The tokens are shared out among the heads, whole. Where the sizes fit, nothing complains.

How many tokens should head 0 see of 4, with 2 heads?

Every head should see every token, and a part of its numbers.
"""

size_written_as_a_number = {"num_heads, d // num_heads)": "num_heads, 2)"}
"""The width of a head is always the same number. With the sizes of the example it is right.

Split 8 numbers for 2 heads.

The width of a head should be that of the tokens, divided by the number of heads.
"""

not_checked = {'if d % num_heads:\n    raise ValueError(f"{num_heads} heads do not divide the width {d}")': ""}
"""Where the heads do not divide the width, some other error is raised, or none.

Split 4 numbers for 3 heads, and print the type of the error.

That should raise a `ValueError`.
"""

rest_dropped = {
    """
        if d % num_heads:
            raise ValueError(f"{num_heads} heads do not divide the width {d}")
    """: "x = x[..., : d // num_heads * num_heads]"
}
"""Where the heads do not divide the width, the numbers left over are dropped, without an error.

Split 4 numbers for 3 heads. Where is the last number?

That should raise a `ValueError`.
"""

uneven_parts = {
    """
        if d % num_heads:
            raise ValueError(f"{num_heads} heads do not divide the width {d}")
        parts = x.reshape(*x.shape[:-1], num_heads, d // num_heads)  # (..., n, h, d_h)
        return parts.transpose(-3, -2)  # (..., h, n, d_h)
    """: "return torch.stack(x.tensor_split(num_heads, dim=-1), dim=-3)"
}
"""Where the heads do not divide the width, the parts come out uneven, and an error is raised when they are put
together.

Split 4 numbers for 3 heads, and print the type of the error.

That should raise a `ValueError`.
"""

asserted = {
    """
        if d % num_heads:
            raise ValueError(f"{num_heads} heads do not divide the width {d}")
    """: 'assert d % num_heads == 0, "not divisible"'
}

graph_cut = {"x.reshape(": "x.detach().reshape("}
"""The numbers are right, but no gradient passes, as after `.data` or `detach`, so nothing in front could be trained.

Let `x` ask for gradients, and print `requires_grad` of the result.

Gradients should flow back to `x`.
"""

not_returned = {"return parts": "parts"}
