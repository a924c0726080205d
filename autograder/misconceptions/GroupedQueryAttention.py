"""Mistakes seen in answers to GroupedQueryAttention."""

import math

import torch
from torch import nn


class _Attention(nn.Module):
    """The right module, each step of which can be replaced."""

    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__()
        self.d_h, self.num_heads, self.num_kv_heads = d_model // num_heads, num_heads, num_kv_heads
        self.group = num_heads // num_kv_heads
        self.Wq, self.Wo = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.Wk, self.Wv = (nn.Linear(d_model, num_kv_heads * self.d_h) for _ in range(2))

    def project(self, queries, keys, values):
        return self.Wq(queries), self.Wk(keys), self.Wv(values)

    def split(self, x):
        return x.unflatten(-1, (-1, self.d_h)).transpose(-3, -2)

    def share(self, x):
        return x.repeat_interleave(self.group, dim=-3)

    def merge(self, x):
        return x.transpose(-3, -2).flatten(-2)

    def score(self, q, k):
        return q @ k.transpose(-2, -1) / math.sqrt(self.d_h)

    def weigh(self, scores, mask):
        if mask is not None:
            scores = scores.masked_fill(~mask, -math.inf)
        return torch.softmax(scores, dim=-1)

    def forward(self, queries, keys, values, mask=None):
        q, k, v = (self.split(x) for x in self.project(queries, keys, values))
        k, v = self.share(k), self.share(v)
        weights = self.weigh(self.score(q, k), mask)
        return self.Wo(self.merge(weights @ v)), weights


def _laid_behind_each_other(x, times):
    return torch.cat([x] * times, dim=-3)


class repeat_for_repeat_interleave(_Attention):
    """The key heads are laid behind each other as by `repeat`, so that neighbours get different ones.

    Query heads 0 and 1 are in one group: `repeat_interleave` repeats each head on the spot.
    """

    def share(self, x):
        return _laid_behind_each_other(x, self.group)


class values_laid_behind_each_other(_Attention):
    """The keys are repeated on the spot, but the values as whole copies: both heads have to go to the same group."""

    def forward(self, queries, keys, values, mask=None):
        q, k, v = (self.split(x) for x in self.project(queries, keys, values))
        weights = self.weigh(self.score(q, self.share(k)), mask)
        return self.Wo(self.merge(weights @ _laid_behind_each_other(v, self.group))), weights


class repeated_as_often_as_there_are_key_heads(_Attention):
    """Each key head is repeated `num_kv_heads` times: a group has num_heads // num_kv_heads query heads."""

    def share(self, x):
        return x.repeat_interleave(self.num_kv_heads, dim=-3)


class repeated_along_the_words(_Attention):
    """The words are repeated, not the heads: `repeat_interleave` needs the axis of heads, the last but two."""

    def share(self, x):
        return x.repeat_interleave(self.group, dim=-2)


class heads_counted_from_the_front(_Attention):
    """The heads are repeated along axis 1, which holds heads only where there is one batch axis: count from the end."""

    def share(self, x):
        return x.repeat_interleave(self.group, dim=1)


class first_head_for_everybody(_Attention):
    """All query heads use the first key head, and the others are never looked at: each group has its own."""

    def share(self, x):
        return x[..., :1, :, :].expand(*x.shape[:-3], self.num_heads, *x.shape[-2:])


class key_heads_averaged(_Attention):
    """All query heads use the mean of the key heads: each group has one of its own."""

    def share(self, x):
        mean = x.mean(dim=-3, keepdim=True)
        return mean.expand(*x.shape[:-3], self.num_heads, *x.shape[-2:])


class queries_grouped_in_place_of_repeating(_Attention):
    """There are only as many heads as keys have, because the queries of a group are averaged: each asks for itself."""

    def forward(self, queries, keys, values, mask=None):
        q, k, v = (self.split(x) for x in self.project(queries, keys, values))
        q = q.unflatten(-3, (self.num_kv_heads, self.group)).mean(dim=-3)
        weights = self.weigh(self.score(q, k), mask)
        output = self.Wo(self.merge((weights @ v).repeat_interleave(self.group, dim=-3)))
        return output, weights


class not_repeated(_Attention):
    """The key heads are not repeated, so that their number does not fit that of the query heads: share them out."""

    def share(self, x):
        return x


class one_key_head_whatever_is_asked(_Attention):
    """There is a single head of keys and values, as in multi-query attention: make `num_kv_heads` of them."""

    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__(d_model, num_heads, 1)


class as_many_key_heads_as_query_heads(_Attention):
    """`Wk` and `Wv` are as wide as `Wq`, so that nothing is shared: they go to `num_kv_heads * d_h`."""

    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__(d_model, num_heads, num_heads)


class not_scaled(_Attention):
    """The scores are not scaled: divide them by the square root of the width of one head, before softmax."""

    def score(self, q, k):
        return q @ k.transpose(-2, -1)


class scaled_by_the_model_width(_Attention):
    """The scale is the root of d_model: a score adds up the products of one head only, so take the width of a head."""

    def score(self, q, k):
        return q @ k.transpose(-2, -1) / math.sqrt(self.d_h * self.num_heads)


class scaled_by_the_width_of_all_key_heads(_Attention):
    """The scale is the root of what `Wk` gives: a score adds up the products of one head only, so take its width."""

    def score(self, q, k):
        return q @ k.transpose(-2, -1) / math.sqrt(self.d_h * self.num_kv_heads)


class divided_by_the_size(_Attention):
    """The scores are divided by the width of a head itself: divide by its square root."""

    def score(self, q, k):
        return q @ k.transpose(-2, -1) / self.d_h


class softmax_over_the_queries(_Attention):
    """Softmax runs over the queries: each row of the weights has to sum to 1."""

    def weigh(self, scores, mask):
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        return torch.softmax(scores, dim=-2)


class reshaped_without_swapping(_Attention):
    """The heads are split by `reshape` or `view` alone, so that they get parts of the wrong words: split, then swap."""

    def split(self, x):
        return x.reshape(*x.shape[:-2], -1, x.shape[-2], self.d_h)


class merged_without_swapping_back(_Attention):
    """The heads are merged by `reshape` or `view` alone, so that each row mixes up words: first swap the axes back."""

    def merge(self, x):
        return x.reshape(*x.shape[:-3], x.shape[-2], -1)


class output_projection_not_used(_Attention):
    """The layer `Wo` is there, but has no part in the result: the merged heads have to go through it."""

    def forward(self, queries, keys, values, mask=None):
        q, k, v = (self.split(x) for x in self.project(queries, keys, values))
        weights = self.weigh(self.score(q, self.share(k)), mask)
        return self.merge(weights @ self.share(v)), weights


class no_bias(_Attention):
    """The layers have no bias: the text names `nn.Linear` with bias."""

    def __init__(self, d_model, num_heads, num_kv_heads):
        super().__init__(d_model, num_heads, num_kv_heads)
        for name in ("Wq", "Wk", "Wv", "Wo"):
            setattr(self, name, nn.Linear(d_model, getattr(self, name).out_features, bias=False))


class values_projected_like_keys(_Attention):
    """The values go through the layer of the keys, and `Wv` learns nothing: project each with its own."""

    def project(self, queries, keys, values):
        return self.Wq(queries), self.Wk(keys), self.Wk(values)


class keys_in_place_of_values(_Attention):
    """The keys are projected by `Wv`, and the values are left out: it is they that are mixed."""

    def project(self, queries, keys, values):
        return self.Wq(queries), self.Wk(keys), self.Wv(keys)


class all_from_the_queries(_Attention):
    """Keys and values are made from the queries, which is right for self-attention only: use the arguments given."""

    def project(self, queries, keys, values):
        return self.Wq(queries), self.Wk(queries), self.Wv(queries)


class mask_inverted(_Attention):
    """The mask is used the wrong way round: True means may attend, so what is False has to be hidden."""

    def weigh(self, scores, mask):
        return super().weigh(scores, None if mask is None else ~mask)


class mask_ignored(_Attention):
    """The mask has no part in the result: hide what it does not allow, before softmax."""

    def weigh(self, scores, mask):
        return super().weigh(scores, None)


class masked_scores_set_to_zero(_Attention):
    """Hidden scores are set to 0, and exp(0) is 1: fill with -inf, so that their weights become 0."""

    def weigh(self, scores, mask):
        return super().weigh(scores if mask is None else scores.masked_fill(~mask, 0.0), None)


class filled_with_a_small_number(_Attention):
    """Hidden scores are set to -1e-9, which is nearly 0: a large negative number, such as -1e9, has no minus above."""

    def weigh(self, scores, mask):
        return super().weigh(scores if mask is None else scores.masked_fill(~mask, -1e-9), None)


class masked_after_softmax(_Attention):
    """The mask is applied to the weights, so that rows no longer sum to 1: hide scores, before softmax."""

    def weigh(self, scores, mask):
        weights = torch.softmax(scores, dim=-1)
        return weights if mask is None else weights.masked_fill(~mask, 0.0)


class weights_of_the_groups_only(_Attention):
    """The weights are averaged over the heads of a group: each query head has weights of its own."""

    def forward(self, queries, keys, values, mask=None):
        output, weights = super().forward(queries, keys, values, mask)
        return output, weights.unflatten(-3, (-1, self.group)).mean(dim=-3)


class weights_averaged(_Attention):
    """The weights are averaged over the heads, and what each head looked at is lost: return those of every head."""

    def forward(self, queries, keys, values, mask=None):
        output, weights = super().forward(queries, keys, values, mask)
        return output, weights.mean(dim=-3)


class weights_first(_Attention):
    """The weights are returned first: it is output, then weights."""

    def forward(self, queries, keys, values, mask=None):
        return super().forward(queries, keys, values, mask)[::-1]


class weights_missing(_Attention):
    """Only the output is returned: the weights of all heads belong to the result."""

    def forward(self, queries, keys, values, mask=None):
        return super().forward(queries, keys, values, mask)[0]


class cut_off_from_gradients(_Attention):
    """The weights are detached, so that `Wq` and `Wk` learn nothing: leave them in the graph."""

    def weigh(self, scores, mask):
        return super().weigh(scores, mask).detach()
