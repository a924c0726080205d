"""Mistakes seen in answers to MultiHeadAttention."""

not_scaled = {" / math.sqrt(k.shape[-1])": ""}
"""The scores are not scaled: divide them by the square root of the width of one head, before softmax."""

scaled_by_the_model_width = {"k.shape[-1]": "queries.shape[-1]"}

scaled_by_the_number_of_heads = {"math.sqrt(k.shape[-1])": "math.sqrt(self.num_heads)"}
"""The scale is the root of the number of heads: it is the width of a head that makes dot products large."""

divided_by_the_size = {"math.sqrt(k.shape[-1])": "k.shape[-1]"}
"""The scores are divided by the width of a head itself: divide by its square root."""

scaled_after_softmax = {
    " / math.sqrt(k.shape[-1])": "",
    "return self.Wo": "weights = weights / math.sqrt(k.shape[-1])\nreturn self.Wo",
}

reshaped_without_swapping = {
    "q = split_heads(": """
        def split_heads(x, num_heads):
            return x.reshape(*x.shape[:-2], num_heads, x.shape[-2], -1)

        q = split_heads(
    """
}
"""The heads are split by `reshape` or `view` alone, so that they get parts of the wrong tokens.

Shuffle the tokens: do the rows of the result still belong to them? Your `split_heads` does it in two steps.
"""

merged_without_swapping_back = {"merge_heads(weights @ v)": "(weights @ v).reshape(queries.shape)"}
"""The heads are merged by `reshape` or `view` alone, so that each row mixes up tokens: first swap the axes back."""

heads_never_swapped = {
    "q = split_heads(": """
        def split_heads(x, num_heads):
            return x.unflatten(-1, (num_heads, -1))

        q = split_heads(
    """,
    "merge_heads(weights @ v)": "(weights @ v).flatten(-2)",
}
"""The last axis is split, but the head axis stays behind the tokens, so that heads of a token attend to each other.

The last two axes do the work: which two should they be?
"""

one_batch_axis_expected = {
    "q = split_heads(": """
        def split_heads(x, num_heads):
            b, n, d = x.shape
            return x.reshape(b, n, num_heads, d // num_heads).transpose(1, 2)

        q = split_heads(
    """
}
"""The shape is unpacked into exactly three sizes, so that a single sentence, or two batch axes, will not fit.

A star takes whatever stands in front: `*batch, n, d = x.shape`.
"""

interleaved = {
    "q = split_heads(": """
        def split_heads(x, num_heads):
            return x.unflatten(-1, (-1, num_heads)).movedim(-1, -3)

        q = split_heads(
    """,
    "merge_heads(weights @ v)": "(weights @ v).movedim(-3, -1).flatten(-2)",
}

no_output_projection = {
    "self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))": """
        self.Wq, self.Wk, self.Wv = (nn.Linear(d_model, d_model) for _ in range(3))
    """,
    "self.Wo(merge_heads(weights @ v))": "merge_heads(weights @ v)",
}
"""No last layer mixes the heads: their merged results have to go through `Wo`."""

output_projection_not_used = {"self.Wo(merge_heads(weights @ v))": "merge_heads(weights @ v)"}

one_small_projection_for_all_heads = {
    "self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))": """
        self.Wq, self.Wk, self.Wv = (nn.Linear(d_model, d_model // num_heads) for _ in range(3))
        self.Wo = nn.Linear(d_model, d_model)
    """,
    "q = split_heads(": """
        def split_heads(x, num_heads):
            return torch.stack([x] * num_heads, dim=-3)

        q = split_heads(
    """,
}
"""The projections are as narrow as one head, so that all heads see the same: project to d_model, then split."""

one_projection_for_all_three = {
    "self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))": """
        self.Wq, self.Wo = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.Wk = self.Wv = self.Wq
    """
}
"""One layer projects queries, keys and values alike: each of the three needs a layer of its own."""

keys_projected_like_queries = {"self.Wk(keys)": "self.Wq(keys)"}
"""The keys go through the layer of the queries, and `Wk` learns nothing: project each with its own."""

values_projected_like_keys = {"self.Wv(values)": "self.Wk(values)"}

keys_mixed_instead_of_values = {"self.Wv(values)": "self.Wv(keys)"}
"""The keys are projected to values, and the values themselves are left out: it is they that are mixed."""

all_from_the_queries = {"self.Wk(keys)": "self.Wk(queries)", "self.Wv(values)": "self.Wv(queries)"}
no_bias = {"nn.Linear(d_model, d_model)": "nn.Linear(d_model, d_model, bias=False)"}
queries_and_keys_swapped = {"q @ k.transpose(-2, -1)": "k @ q.transpose(-2, -1)"}

first_and_last_axis_swapped = {"k.transpose(-2, -1)": "k.transpose(0, -1)"}
"""`transpose(0, -1)` turns the axes of heads or sentences as well: swap only the last two."""

reshaped_instead_of_transposed = {"k.transpose(-2, -1)": "k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])"}
over_the_queries = {
    "torch.softmax(scores, dim=-1)": "torch.softmax(scores, dim=-2)",
    "masked_fill(~mask, hidden), dim=-1).masked_fill(~mask, 0.0)": "masked_fill(~mask, hidden), dim=-2)",
}

softmax_over_the_heads = {
    "torch.softmax(scores, dim=-1)": "torch.softmax(scores, dim=-3)",
    "torch.softmax(scores.masked_fill(~mask, hidden), dim=-1)": "torch.softmax(scores, dim=-3)",
}
"""Softmax runs over the heads, which compete for every key: the keys should, in each head on their own."""

no_maximum_subtracted = {
    "weights = torch.softmax(scores, dim=-1)": "weights = scores.exp() / scores.exp().sum(dim=-1, keepdim=True)",
    "weights = torch.softmax(scores.masked_fill(~mask, hidden), dim=-1).masked_fill(~mask, 0.0)": """
        exponentials = scores.exp() * mask
        sums = exponentials.sum(dim=-1, keepdim=True)
        weights = exponentials / sums.where(sums > 0, 1.0)
    """,
}
mask_ignored = {
    "torch.softmax(scores.masked_fill(~mask, hidden), dim=-1).masked_fill(~mask, 0.0)": """
        torch.softmax(scores, dim=-1)
    """
}
tiny_number_for_a_large_one = {
    "scores.masked_fill(~mask, hidden), dim=-1).masked_fill(~mask, 0.0)": """
        scores.masked_fill(~mask, -1e-9), dim=-1)
    """
}
hidden_scores_set_to_zero = {
    "scores.masked_fill(~mask, hidden), dim=-1).masked_fill(~mask, 0.0)": "scores * mask, dim=-1)"
}
masked_after_softmax = {"scores.masked_fill(~mask, hidden), dim=-1).masked_fill(~mask, 0.0)": "scores, dim=-1) * mask"}
mask_inverted = {
    "scores.masked_fill(~mask, hidden), dim=-1).masked_fill(~mask, 0.0)": """
        scores.masked_fill(mask, hidden), dim=-1).masked_fill(mask, 0.0)
    """
}

fill_not_low_enough = {"hidden), dim=-1).masked_fill(~mask, 0.0)": "-100.0), dim=-1) * mask.any(dim=-1, keepdim=True)"}
"""Hidden scores are set to a number that other scores can be lower than: take one that no score comes near."""

nan_for_empty_rows = {"hidden), dim=-1).masked_fill(~mask, 0.0)": "-math.inf), dim=-1)"}
equal_weights_for_empty_rows = {"hidden), dim=-1).masked_fill(~mask, 0.0)": "-1e9), dim=-1)"}

zero_behind_the_output_projection = {
    "return self.Wo(merge_heads(weights @ v)), weights": """
        output = self.Wo(merge_heads(weights @ v))
        return output * (weights.sum(dim=(-3, -1)) > 0).unsqueeze(-1), weights
    """
}
"""A row that may attend to nothing is set to 0 behind `Wo`: it is 0 before, so that the bias of `Wo` remains."""

asked_whether_the_mask_is_true = {"if mask is None:": "if not mask:"}

head_axis_added_to_every_mask = {"# Finite, so": "mask = mask.unsqueeze(-3)\n# Finite, so"}
"""The mask gets one more axis for the heads, though one that differs from sentence to sentence has it already.

Broadcasting lines axes up from the right by itself.
"""

weights_averaged = {"merge_heads(weights @ v)), weights": "merge_heads(weights @ v)), weights.mean(dim=-3)"}

not_checked = {
    """
        if d_model % num_heads:
            raise ValueError(f"{num_heads} heads do not divide the width {d_model}")
        self.num_heads = num_heads
    """: "self.num_heads, self.d_h = num_heads, d_model // num_heads"
}
"""Nobody asks whether the heads divide d_model when the module is made: raise a `ValueError` in `__init__`."""

asserted = {
    """
        if d_model % num_heads:
            raise ValueError(f"{num_heads} heads do not divide the width {d_model}")
    """: 'assert d_model % num_heads == 0, "not divisible"'
}

weights_detached = {"return self.Wo": "weights = weights.detach()\nreturn self.Wo"}
"""The attention weights are detached before they mix the values, so that `Wq` and `Wk` never learn.

A copy for a picture may be detached, but not the weights that the output is made of.
"""

graph_cut = {"merge_heads(weights @ v)": "merge_heads(weights @ v).detach()"}
"""The numbers are right, but no gradient gets past the heads: `.data`, `detach` or `no_grad` cuts the graph."""

weights_first = {
    "return self.Wo(merge_heads(weights @ v)), weights": "return weights, self.Wo(merge_heads(weights @ v))"
}
weights_not_returned = {"return self.Wo(merge_heads(weights @ v)), weights": "return self.Wo(merge_heads(weights @ v))"}
not_returned = {"return self.Wo(merge_heads(weights @ v)), weights": ""}
