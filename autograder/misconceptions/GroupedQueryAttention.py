"""Mistakes seen in answers to GroupedQueryAttention."""

repeat_for_repeat_interleave = {
    "x.repeat_interleave(self.group, dim=-3) for x": "torch.cat([x] * self.group, dim=-3) for x"
}
"""The key heads are laid behind each other as by `repeat`, so that neighbours get different ones.

Query heads 0 and 1 are in one group: `repeat_interleave` repeats each head on the spot.
"""

values_laid_behind_each_other = {
    "k, v = (x.repeat_interleave(self.group, dim=-3) for x in (k, v))": """
        k, v = k.repeat_interleave(self.group, dim=-3), torch.cat([v] * self.group, dim=-3)
    """
}
"""The keys are repeated on the spot, but the values as whole copies: both heads have to go to the same group."""

repeated_as_often_as_there_are_key_heads = {"num_heads // num_kv_heads": "num_kv_heads"}
"""Each key head is repeated `num_kv_heads` times: a group has num_heads // num_kv_heads query heads."""

repeated_along_the_words = {"self.group, dim=-3": "self.group, dim=-2"}
"""The words are repeated, not the heads: `repeat_interleave` needs the axis of heads, the last but two."""

heads_counted_from_the_front = {"self.group, dim=-3": "self.group, dim=1"}
"""The heads are repeated along axis 1, which holds heads only where there is one batch axis: count from the end."""

first_head_for_everybody = {
    "x.repeat_interleave(self.group, dim=-3)": "x[..., :1, :, :].expand(q.shape[:-2] + x.shape[-2:])"
}
"""All query heads use the first key head, and the others are never looked at: each group has its own."""

key_heads_averaged = {
    "x.repeat_interleave(self.group, dim=-3)": "x.mean(dim=-3, keepdim=True).expand(q.shape[:-2] + x.shape[-2:])"
}
"""All query heads use the mean of the key heads: each group has one of its own."""

queries_grouped_in_place_of_repeating = {
    "k, v = (x.repeat_interleave(self.group, dim=-3) for x in (k, v))  # (..., h, n_k, d_h)": """
        q = q.unflatten(-3, (-1, self.group)).mean(dim=-3)
    """,
    "self.Wo((weights @ v).transpose(-3, -2)": """
        self.Wo((weights @ v).repeat_interleave(self.group, dim=-3).transpose(-3, -2)
    """,
}
"""There are only as many heads as keys have, because the queries of a group are averaged: each asks for itself."""

not_repeated = {"k, v = (x.repeat_interleave(self.group, dim=-3) for x in (k, v))  # (..., h, n_k, d_h)": ""}
"""The key heads are not repeated, so that their number does not fit that of the query heads: share them out."""

one_key_head_whatever_is_asked = {
    "self.d_h, self.group = d_model // num_heads": "num_kv_heads = 1\nself.d_h, self.group = d_model // num_heads"
}
"""There is a single head of keys and values, as in multi-query attention: make `num_kv_heads` of them."""

as_many_key_heads_as_query_heads = {
    "self.d_h, self.group = d_model // num_heads": """
        num_kv_heads = num_heads
        self.d_h, self.group = d_model // num_heads
    """
}
"""`Wk` and `Wv` are as wide as `Wq`, so that nothing is shared: they go to `num_kv_heads * d_h`."""

not_scaled = {" / math.sqrt(self.d_h)": ""}
"""The scores are not scaled: divide them by the square root of the width of one head, before softmax."""

scaled_by_the_model_width = {"math.sqrt(self.d_h)": "math.sqrt(self.Wq.out_features)"}

scaled_by_the_width_of_all_key_heads = {"math.sqrt(self.d_h)": "math.sqrt(self.Wk.out_features)"}
"""The scale is the root of what `Wk` gives: a score adds up the products of one head only, so take its width."""

divided_by_the_size = {"math.sqrt(self.d_h)": "self.d_h"}
"""The scores are divided by the width of a head itself: divide by its square root."""

over_the_queries = {
    "-math.inf": "torch.finfo(scores.dtype).min",
    "torch.softmax(scores, dim=-1)": "torch.softmax(scores, dim=-2)",
}

reshaped_without_swapping = {
    "x.unflatten(-1, (-1, self.d_h)).transpose(-3, -2)": "x.reshape(*x.shape[:-2], -1, x.shape[-2], self.d_h)"
}
"""The heads are split by `reshape` or `view` alone, so that they get parts of the wrong words: split, then swap."""

merged_without_swapping_back = {
    "self.Wo((weights @ v).transpose(-3, -2).flatten(-2))": "self.Wo((weights @ v).reshape(queries.shape))"
}
"""The heads are merged by `reshape` or `view` alone, so that each row mixes up words: first swap the axes back."""

output_projection_not_used = {
    "self.Wo((weights @ v).transpose(-3, -2).flatten(-2))": "(weights @ v).transpose(-3, -2).flatten(-2)"
}
no_bias = {
    "nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)": """
        (nn.Linear(d_model, d_model, bias=False) for _ in range(2))
    """,
    "num_kv_heads * self.d_h)": "num_kv_heads * self.d_h, bias=False)",
}
values_projected_like_keys = {"self.Wv(values)": "self.Wk(values)"}

keys_in_place_of_values = {"self.Wv(values)": "self.Wv(keys)"}
"""The keys are projected by `Wv`, and the values are left out: it is they that are mixed."""

all_from_the_queries = {"self.Wk(keys), self.Wv(values)": "self.Wk(queries), self.Wv(queries)"}
mask_inverted = {"~mask": "mask"}
mask_ignored = {"if mask is not None:\n    scores = scores.masked_fill(~mask, -math.inf)": ""}

masked_scores_set_to_zero = {"-math.inf": "0.0"}
"""Hidden scores are set to 0, and exp(0) is 1: fill with -inf, so that their weights become 0."""

filled_with_a_small_number = {"-math.inf": "-1e-9"}
"""Hidden scores are set to -1e-9, which is nearly 0: a large negative number, such as -1e9, has no minus above."""

masked_after_softmax = {
    """
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        weights = torch.softmax(scores, dim=-1)
    """: """
        weights = torch.softmax(scores, dim=-1)
        if mask is not None:
            weights = weights * mask
    """
}

weights_of_the_groups_only = {
    ".flatten(-2)), weights": ".flatten(-2)), weights.unflatten(-3, (-1, self.group)).mean(dim=-3)"
}
"""The weights are averaged over the heads of a group: each query head has weights of its own."""

weights_averaged = {".flatten(-2)), weights": ".flatten(-2)), weights.mean(dim=-3)"}
weights_first = {
    "return self.Wo((weights @ v).transpose(-3, -2).flatten(-2)), weights": """
        return weights, self.Wo((weights @ v).transpose(-3, -2).flatten(-2))
    """
}
weights_not_returned = {".flatten(-2)), weights": ".flatten(-2))"}

cut_off_from_gradients = {"torch.softmax(scores, dim=-1)": "torch.softmax(scores, dim=-1).detach()"}
"""The weights are detached, so that `Wq` and `Wk` learn nothing: leave them in the graph."""
