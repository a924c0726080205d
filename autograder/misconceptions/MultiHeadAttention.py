"""Mistakes seen in answers to MultiHeadAttention."""

not_scaled = {" / math.sqrt(k.shape[-1])": ""}
"""The scores go into softmax as they are, so the weights come out too sharp, the more so the wider a head is. With
heads of width 1 nothing shows.

How large is the largest weight of a row for heads of width 4, and how large for 1000?

The scores should be divided by the square root of the width of one head, before softmax.
"""

scaled_by_the_model_width = {"k.shape[-1]": "queries.shape[-1]"}

scaled_by_the_number_of_heads = {"math.sqrt(k.shape[-1])": "math.sqrt(self.num_heads)"}

divided_by_the_size = {"math.sqrt(k.shape[-1])": "k.shape[-1]"}
"""The scores are divided by the whole width of a head, so the weights come out too flat. With heads of width 1 it looks
right.

By which factor do your scores miss the right ones for heads of width 4, 9 and 16?

The scores should be divided by the square root of the width of a head.
"""

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
"""The heads are split in memory order, as `reshape` or `view` alone reads, so several parts of one token come into
the same head, one below the other. Every shape is right.

Shuffle the tokens. Do the rows of the result still go with them?

Head 0 should get the first part of every token, as your `split_heads` gives it.
"""

merged_without_swapping_back = {"merge_heads(weights @ v)": "(weights @ v).reshape(queries.shape)"}
"""The heads are merged in memory order, as `reshape` or `view` alone reads, so each row mixes several tokens. Every
shape is right.

Shuffle the queries. Do the rows of the result still go with them?

Row i should hold what all heads found for query i, as your `merge_heads` gives it.
"""

heads_never_swapped = {
    "q = split_heads(": """
        def split_heads(x, num_heads):
            return x.unflatten(-1, (num_heads, -1))

        q = split_heads(
    """,
    "merge_heads(weights @ v)": "(weights @ v).flatten(-2)",
}
"""The head axis stays behind the tokens, so the heads of a token attend to each other, and no token to another one.

Print the shape of the scores. Which two axes come last, and which should?

The last two axes of the scores should be queries and keys.
"""

one_batch_axis_expected = {
    "q = split_heads(": """
        def split_heads(x, num_heads):
            b, n, d = x.shape
            return x.reshape(b, n, num_heads, d // num_heads).transpose(1, 2)

        q = split_heads(
    """
}
"""A single sentence, or two batch axes, raise an error. With exactly one batch axis it works.

Call it with tensors of the shapes (3, 4) and (5, 2, 3, 4).

Any number of batch axes should do.
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
"""The merged heads come back as they are: there is no last layer that mixes them.

Print the names in `dict(layer.named_parameters())`.

The merged heads should go through a layer `Wo`.
"""

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
"""The projections are as narrow as one head, and all heads get the same, so they all look at the same things.

Print the shape of `layer.Wq.weight`, and the weights of two heads.

The projections should be d_model wide and then be split, so that each head has a part of its own.
"""

one_projection_for_all_three = {
    "self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))": """
        self.Wq, self.Wo = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.Wk = self.Wv = self.Wq
    """
}
"""One layer projects queries, keys and values alike, so they can never learn different things.

How many parameters does `list(layer.parameters())` have?

Queries, keys and values should each have a layer of their own.
"""

keys_projected_like_queries = {"self.Wk(keys)": "self.Wq(keys)"}
values_projected_like_keys = {"self.Wv(values)": "self.Wk(values)"}

keys_mixed_instead_of_values = {"self.Wv(values)": "self.Wv(keys)"}
"""`Wv` is given the keys, and `values` changes nothing. In self-attention both are the same tensor, so nothing shows.

Call it with values that differ from the keys.

The values should go through `Wv` and be mixed.
"""

all_from_the_queries = {"self.Wk(keys)": "self.Wk(queries)", "self.Wv(values)": "self.Wv(queries)"}
no_bias = {"nn.Linear(d_model, d_model)": "nn.Linear(d_model, d_model, bias=False)"}
queries_and_keys_swapped = {"q @ k.transpose(-2, -1)": "k @ q.transpose(-2, -1)"}

first_and_last_axis_swapped = {"k.transpose(-2, -1)": "k.transpose(0, -1)"}
"""The first axis of the keys changes places with the last, as in `transpose(0, -1)`, but the first counts heads or
sentences.

Print the shape of `torch.ones(2, 3, 4).transpose(0, -1)`.

Only the last two axes should change places.
"""

reshaped_instead_of_transposed = {"k.transpose(-2, -1)": "k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])"}
over_the_queries = {
    "torch.softmax(scores, dim=-1)": "torch.softmax(scores, dim=-2)",
    "masked_fill(~mask, hidden), dim=-1).masked_fill(~mask, 0.0)": "masked_fill(~mask, hidden), dim=-2)",
}

softmax_over_the_heads = {
    "torch.softmax(scores, dim=-1)": "torch.softmax(scores, dim=-3)",
    "torch.softmax(scores.masked_fill(~mask, hidden), dim=-1)": "torch.softmax(scores, dim=-3)",
}
"""Softmax runs over the heads, so the heads compete for every key, and no row of a head sums to 1.

Add up a row of one head, then the same place over all heads.

In each head on its own, the keys should compete: its rows sum to 1.
"""

no_maximum_subtracted = {
    "weights = torch.softmax(scores, dim=-1)": "weights = scores.exp() / scores.exp().sum(dim=-1, keepdim=True)",
    "weights = torch.softmax(scores.masked_fill(~mask, hidden), dim=-1).masked_fill(~mask, 0.0)": """
        exponentials = scores.exp() * mask
        sums = exponentials.sum(dim=-1, keepdim=True)
        weights = exponentials / sums.where(sums > 0, 1.0)
    """,
}
one_maximum_for_everything = {
    "weights = torch.softmax(scores, dim=-1)": """
        exponentials = (scores - scores.max()).exp()
        weights = exponentials / exponentials.sum(dim=-1, keepdim=True)
    """,
    "weights = torch.softmax(scores.masked_fill(~mask, hidden), dim=-1).masked_fill(~mask, 0.0)": """
        exponentials = (scores - scores.max()).exp() * mask
        sums = exponentials.sum(dim=-1, keepdim=True)
        weights = exponentials / sums.masked_fill(~mask.any(dim=-1, keepdim=True), 1.0)
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
"""Hidden scores are set to a number that other scores go below, so among very low scores a hidden key wins. With
ordinary scores it is right.

Try scores of -1000, and hide one key. Which number lies below all others?

A hidden key should get the weight 0, however low the other scores are.
"""

nan_for_empty_rows = {"hidden), dim=-1).masked_fill(~mask, 0.0)": "-math.inf), dim=-1)"}
equal_weights_for_empty_rows = {"hidden), dim=-1).masked_fill(~mask, 0.0)": "-1e9), dim=-1)"}

zero_behind_the_output_projection = {
    "return self.Wo(merge_heads(weights @ v)), weights": """
        output = self.Wo(merge_heads(weights @ v))
        return output * (weights.sum(dim=(-3, -1)) > 0).unsqueeze(-1), weights
    """
}
"""For a query that may attend to nothing, the final output is 0, after `Wo`. While the bias of `Wo` is 0, that looks
right.

Hide all keys from one query, and give `Wo` a bias. What is `Wo` of zeros?

The mixture of the values should be 0 for such a query, so that its output is the bias of `Wo`.
"""

asked_whether_the_mask_is_true = {"if mask is None:": "if not mask:"}

head_axis_added_to_every_mask = {"# Finite, so": "mask = mask.unsqueeze(-3)\n# Finite, so"}
"""Every mask gets one more axis, for the heads, but one that differs from sentence to sentence has it already. For one
mask for all it is right.

Call it with a mask of shape (b, 1, n_q, n_k), and print its shape where it meets the scores.

The mask should be used as it is: broadcasting lines axes up from the right.
"""

weights_averaged = {"merge_heads(weights @ v)), weights": "merge_heads(weights @ v)), weights.mean(dim=-3)"}

not_checked = {
    """
        if d_model % num_heads:
            raise ValueError(f"{num_heads} heads do not divide the width {d_model}")
        self.num_heads = num_heads
    """: "self.num_heads, self.d_h = num_heads, d_model // num_heads"
}
"""Nobody asks whether the heads divide d_model when the module is made.

Try `MultiHeadAttention(4, 3)`, and print the type of the error, if there is one.

Making such a module should raise a `ValueError`.
"""

asserted = {
    """
        if d_model % num_heads:
            raise ValueError(f"{num_heads} heads do not divide the width {d_model}")
    """: 'assert d_model % num_heads == 0, "not divisible"'
}

weights_detached = {"return self.Wo": "weights = weights.detach()\nreturn self.Wo"}
"""The numbers are right, but no gradient passes through the attention weights, so `Wq` and `Wk` never learn.

Call `backward()` on the sum of the output's squares, and print `layer.Wq.weight.grad`.

Gradients should flow through the weights that mix the values. A copy for a picture may be detached.
"""

graph_cut = {"merge_heads(weights @ v)": "merge_heads(weights @ v).detach()"}
"""The numbers are right, but no gradient gets past the heads, as after `.data` or `detach` or under `no_grad`.

Call `backward()` on the sum of the output, and print the gradients of `Wq`, `Wk` and `Wv`.

Gradients should flow back to every layer and to the inputs.
"""

weights_first = {
    "return self.Wo(merge_heads(weights @ v)), weights": "return weights, self.Wo(merge_heads(weights @ v))"
}
weights_not_returned = {"return self.Wo(merge_heads(weights @ v)), weights": "return self.Wo(merge_heads(weights @ v))"}
not_returned = {"return self.Wo(merge_heads(weights @ v)), weights": ""}
