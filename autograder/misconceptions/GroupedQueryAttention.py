"""Mistakes seen in answers to GroupedQueryAttention."""

repeat_for_repeat_interleave = {
    "x.repeat_interleave(self.group, dim=-3) for x": "torch.cat([x] * self.group, dim=-3) for x"
}
"""The key heads are repeated all together, as by `repeat`, so neighbouring query heads get different ones.
With one key head, or as many as queries have, nothing shows.

With 4 query heads and 2 key heads: which key head should query head 1 use?

Query heads 0 and 1 should share a head, 2 and 3 the next: each key head is repeated on the spot.
"""

values_laid_behind_each_other = {
    "k, v = (x.repeat_interleave(self.group, dim=-3) for x in (k, v))": """
        k, v = k.repeat_interleave(self.group, dim=-3), torch.cat([v] * self.group, dim=-3)
    """
}
"""The keys are repeated on the spot, but the values as whole copies, so some query heads read one group and take
the values of another. With one key head nothing shows.

With 4 query heads and 2 key heads: whose values should query head 1 take?

Keys and values of a query head should come from the same group.
"""

repeated_as_often_as_there_are_key_heads = {"num_heads // num_kv_heads": "num_kv_heads"}
"""Each key head is repeated `num_kv_heads` times. With 4 query heads and 2 key heads that is right.

Try 8 query heads and 2 key heads. How many query heads share one?

Each key head should serve num_heads // num_kv_heads query heads.
"""

repeated_along_the_words = {"self.group, dim=-3": "self.group, dim=-2"}
"""The words are repeated, not the heads.

Print the shapes of q, k and v just before the scores.

The axis of heads, the last but two, should grow to `num_heads`.
"""

heads_counted_from_the_front = {"self.group, dim=-3": "self.group, dim=1"}
"""The repetition runs along axis 1, counted from the front. With exactly one batch axis these are the heads, with none
or two they are not.

Call it with a single sentence, and print the shapes of q and k.

The axis of heads, the last but two, should grow, whatever stands in front.
"""

first_head_for_everybody = {
    "x.repeat_interleave(self.group, dim=-3)": "x[..., :1, :, :].expand(q.shape[:-2] + x.shape[-2:])"
}
"""All query heads use the first key head, and the others are never looked at. With one key head nothing shows.

Change the second key head of the projection. Does any weight change?

Each group should have a key head of its own.
"""

key_heads_averaged = {
    "x.repeat_interleave(self.group, dim=-3)": "x.mean(dim=-3, keepdim=True).expand(q.shape[:-2] + x.shape[-2:])"
}
"""All query heads use the mean of the key heads. With one key head nothing shows.

Change the second key head of the projection. Which query heads should notice, and which do?

Each group should have a key head of its own.
"""

queries_grouped_in_place_of_repeating = {
    "k, v = (x.repeat_interleave(self.group, dim=-3) for x in (k, v))  # (..., h, n_k, d_h)": """
        q = q.unflatten(-3, (-1, self.group)).mean(dim=-3)
    """,
    "self.Wo((weights @ v).transpose(-3, -2)": """
        self.Wo((weights @ v).repeat_interleave(self.group, dim=-3).transpose(-3, -2)
    """,
}
"""The queries of a group are averaged, so all heads of a group look at the same things.

With 4 query heads and 2 key heads: how many different tables of weights come back?

Each query head should ask for itself; the keys are what a group shares.
"""

not_repeated = {"k, v = (x.repeat_interleave(self.group, dim=-3) for x in (k, v))  # (..., h, n_k, d_h)": ""}
"""There are fewer key heads than query heads when they meet, which raises an error, unless there is one key head or as
many as queries have.

Print the shapes of q and k just before the scores.

Every query head should meet the key head of its group.
"""

one_key_head_whatever_is_asked = {
    "self.d_h, self.group = d_model // num_heads": "num_kv_heads = 1\nself.d_h, self.group = d_model // num_heads"
}
"""There is always a single head of keys and values, as in multi-query attention. For `num_kv_heads` 1 that is right.

Print the shape of `layer.Wk.weight` for 2 key heads.

There should be `num_kv_heads` of them.
"""

as_many_key_heads_as_query_heads = {
    "self.d_h, self.group = d_model // num_heads": """
        num_kv_heads = num_heads
        self.d_h, self.group = d_model // num_heads
    """
}
"""`Wk` and `Wv` are as wide as `Wq`, so nothing is saved. Where both numbers of heads are equal, that is right.

Print the shape of `layer.Wk.weight` for 4 query heads and 2 key heads.

`Wk` and `Wv` should lead to `num_kv_heads * d_h`.
"""

not_scaled = {" / math.sqrt(self.d_h)": ""}
"""The scores go into softmax as they are, so the weights come out too sharp, the more so the wider a head is. With
heads of width 1 nothing shows.

How large is the largest weight of a row for heads of width 4, and how large for 1000?

The scores should be divided by the square root of the width of one head, before softmax.
"""

scaled_by_the_model_width = {"math.sqrt(self.d_h)": "math.sqrt(self.Wq.out_features)"}

scaled_by_the_width_of_all_key_heads = {"math.sqrt(self.d_h)": "math.sqrt(self.Wk.out_features)"}
"""The scale is the root of what `Wk` gives, all its heads together. With one key head it is right.

How many products does one score add up?

The scale should be the root of the width of one head.
"""

scaled_by_the_number_of_heads = {"math.sqrt(self.d_h)": "math.sqrt(self.Wq.out_features // self.d_h)"}

divided_by_the_size = {"math.sqrt(self.d_h)": "self.d_h"}
"""The scores are divided by the whole width of a head, so the weights come out too flat. With heads of width 1 it looks
right.

By which factor do your scores miss the right ones for heads of width 4, 9 and 16?

The scores should be divided by the square root of the width of a head.
"""

over_the_queries = {
    "-math.inf": "torch.finfo(scores.dtype).min",
    "torch.softmax(scores, dim=-1)": "torch.softmax(scores, dim=-2)",
}

reshaped_without_swapping = {
    "x.unflatten(-1, (-1, self.d_h)).transpose(-3, -2)": "x.reshape(*x.shape[:-2], -1, x.shape[-2], self.d_h)"
}
"""The heads are split in memory order, as `reshape` or `view` alone reads, so several parts of one word come into the
same head, one below the other. Every shape is right.

Shuffle the words. Do the rows of the result still go with them?

Head 0 should get the first part of every word.
"""

merged_without_swapping_back = {
    "self.Wo((weights @ v).transpose(-3, -2).flatten(-2))": "self.Wo((weights @ v).reshape(queries.shape))"
}
"""The heads are merged in memory order, as `reshape` or `view` alone reads, so each row mixes several words. Every
shape is right.

Shuffle the queries. Do the rows of the result still go with them?

Row i should hold what all heads found for query i.
"""

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
"""`Wv` is given the keys, and `values` changes nothing. In self-attention both are the same tensor, so nothing shows.

Call it with values that differ from the keys.

The values should go through `Wv` and be mixed.
"""

all_from_the_queries = {"self.Wk(keys), self.Wv(values)": "self.Wk(queries), self.Wv(queries)"}
mask_inverted = {"~mask": "mask"}
mask_ignored = {"if mask is not None:\n    scores = scores.masked_fill(~mask, -math.inf)": ""}

masked_scores_set_to_zero = {"-math.inf": "0.0"}
"""Hidden scores become 0, but `exp(0)` is 1, so hidden keys still get weight. Among very large scores it does not show.

Change the value of a hidden key. Does the output move?

The score of a hidden key should be so low that nothing is left of its exponential.
"""

filled_with_a_small_number = {"-math.inf": "-1e-9"}
"""Hidden scores become something near 0, such as 1e-9 or -1e-9, perhaps in place of -1e9: `exp` of it is 1, so hidden
keys still get weight.

Print `-1e-9` and `-1e9` beside each other, and `exp` of both.

A hidden key should get the weight 0, whatever its value is.
"""

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
"""The weights that come back are averaged over the heads of a group. The output is right.

Print the shape of the weights for 4 query heads.

Each query head should have weights of its own.
"""

weights_averaged = {".flatten(-2)), weights": ".flatten(-2)), weights.mean(dim=-3)"}
weights_first = {
    "return self.Wo((weights @ v).transpose(-3, -2).flatten(-2)), weights": """
        return weights, self.Wo((weights @ v).transpose(-3, -2).flatten(-2))
    """
}
weights_not_returned = {".flatten(-2)), weights": ".flatten(-2))"}

cut_off_from_gradients = {"torch.softmax(scores, dim=-1)": "torch.softmax(scores, dim=-1).detach()"}
"""The numbers are right, but no gradient passes through the attention weights, so `Wq` and `Wk` never learn.

Call `backward()` on the sum of the output's squares, and print `layer.Wq.weight.grad`.

Gradients should flow through the weights that mix the values.
"""
