"""Mistakes seen in answers to MultiHeadAttention."""

import math

import torch
from torch import nn


def _softmax(scores, mask):
    """Softmax with a mask, and 0 for rows that may attend to nothing."""
    if mask is None:
        return torch.softmax(scores, dim=-1)
    hidden = torch.finfo(scores.dtype).min
    return torch.softmax(scores.masked_fill(~mask, hidden), dim=-1).masked_fill(~mask, 0.0)


class _Attention(nn.Module):
    """The right module, each step of which can be replaced."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("not divisible")
        self.num_heads, self.d_h = num_heads, d_model // num_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def project(self, queries, keys, values):
        return self.Wq(queries), self.Wk(keys), self.Wv(values)

    def split(self, x):
        return x.reshape(*x.shape[:-1], self.num_heads, self.d_h).transpose(-3, -2)

    def merge(self, x):
        return x.transpose(-3, -2).flatten(-2)

    def score(self, q, k):
        return q @ k.transpose(-2, -1) / math.sqrt(self.d_h)

    def weigh(self, scores, mask):
        return _softmax(scores, mask)

    def forward(self, queries, keys, values, mask=None):
        q, k, v = (self.split(x) for x in self.project(queries, keys, values))
        weights = self.weigh(self.score(q, k), mask)
        return self.Wo(self.merge(weights @ v)), weights


class not_scaled(_Attention):
    """The scores are not scaled: divide them by the square root of the width of one head, before softmax."""

    def score(self, q, k):
        return q @ k.transpose(-2, -1)


class scaled_by_the_model_width(_Attention):
    """The scale is the root of d_model: a score adds up the products of one head only, so take the width of a head."""

    def score(self, q, k):
        return q @ k.transpose(-2, -1) / math.sqrt(self.d_h * self.num_heads)


class scaled_by_the_number_of_heads(_Attention):
    """The scale is the root of the number of heads: it is the width of a head that makes dot products large."""

    def score(self, q, k):
        return q @ k.transpose(-2, -1) / math.sqrt(self.num_heads)


class divided_by_the_size(_Attention):
    """The scores are divided by the width of a head itself: divide by its square root."""

    def score(self, q, k):
        return q @ k.transpose(-2, -1) / self.d_h


class scaled_after_softmax(_Attention):
    """The weights are scaled, not the scores, so that no row sums to 1: scale first, then softmax."""

    def score(self, q, k):
        return q @ k.transpose(-2, -1)

    def weigh(self, scores, mask):
        return _softmax(scores, mask) / math.sqrt(self.d_h)


class reshaped_without_swapping(_Attention):
    """The heads are split by `reshape` or `view` alone, so that they get parts of the wrong tokens.

    Shuffle the tokens: do the rows of the result still belong to them? Your `split_heads` does it in two steps.
    """

    def split(self, x):
        return x.reshape(*x.shape[:-2], self.num_heads, x.shape[-2], self.d_h)


class merged_without_swapping_back(_Attention):
    """The heads are merged by `reshape` or `view` alone, so that each row mixes up tokens: first swap the axes back."""

    def merge(self, x):
        return x.reshape(*x.shape[:-3], x.shape[-2], -1)


class heads_never_swapped(_Attention):
    """The last axis is split, but the head axis stays behind the tokens, so that heads of a token attend to each other.

    The last two axes do the work: which two should they be?
    """

    def split(self, x):
        return x.reshape(*x.shape[:-1], self.num_heads, self.d_h)

    def merge(self, x):
        return x.flatten(-2)


class one_batch_axis_expected(_Attention):
    """The shape is unpacked into exactly three sizes, so that a single sentence, or two batch axes, will not fit.

    A star takes whatever stands in front: `*batch, n, d = x.shape`.
    """

    def split(self, x):
        b, n, _ = x.shape
        return x.reshape(b, n, self.num_heads, self.d_h).transpose(1, 2)


class interleaved(_Attention):
    """Numbers are dealt out to the heads in turn, like cards: each head should get one block of neighbours."""

    def split(self, x):
        return x.reshape(*x.shape[:-1], self.d_h, self.num_heads).movedim(-1, -3)

    def merge(self, x):
        return x.movedim(-3, -1).flatten(-2)


class no_output_projection(_Attention):
    """No last layer mixes the heads: their merged results have to go through `Wo`."""

    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.Wo = nn.Identity()


class output_projection_not_used(_Attention):
    """The layer `Wo` is there, but has no part in the result: the merged heads have to go through it."""

    def forward(self, queries, keys, values, mask=None):
        q, k, v = (self.split(x) for x in self.project(queries, keys, values))
        weights = self.weigh(self.score(q, k), mask)
        return self.merge(weights @ v), weights


class one_small_projection_for_all_heads(_Attention):
    """The projections are as narrow as one head, so that all heads see the same: project to d_model, then split."""

    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.Wq, self.Wk, self.Wv = (nn.Linear(d_model, self.d_h) for _ in range(3))

    def split(self, x):
        return torch.stack([x] * self.num_heads, dim=-3)


class one_projection_for_all_three(_Attention):
    """One layer projects queries, keys and values alike: each of the three needs a layer of its own."""

    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.Wk = self.Wv = self.Wq


class keys_projected_like_queries(_Attention):
    """The keys go through the layer of the queries, and `Wk` learns nothing: project each with its own."""

    def project(self, queries, keys, values):
        return self.Wq(queries), self.Wq(keys), self.Wv(values)


class values_projected_like_keys(_Attention):
    """The values go through the layer of the keys, and `Wv` learns nothing: project each with its own."""

    def project(self, queries, keys, values):
        return self.Wq(queries), self.Wk(keys), self.Wk(values)


class keys_mixed_instead_of_values(_Attention):
    """The keys are projected to values, and the values themselves are left out: it is they that are mixed."""

    def project(self, queries, keys, values):
        return self.Wq(queries), self.Wk(keys), self.Wv(keys)


class all_from_the_queries(_Attention):
    """Keys and values are made from the queries, which is right for self-attention only: use the arguments given."""

    def project(self, queries, keys, values):
        return self.Wq(queries), self.Wk(queries), self.Wv(queries)


class no_bias(_Attention):
    """The layers have no bias: the text names `nn.Linear` with bias."""

    def __init__(self, d_model, num_heads):
        super().__init__(d_model, num_heads)
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))


class queries_and_keys_swapped(_Attention):
    """Queries and keys changed places: rows of the weights belong to queries, columns to keys."""

    def score(self, q, k):
        return super().score(k, q)


class first_and_last_axis_swapped(_Attention):
    """`transpose(0, -1)` turns the axes of heads or sentences as well: swap only the last two."""

    def score(self, q, k):
        return q @ k.transpose(0, -1) / math.sqrt(self.d_h)


class reshaped_instead_of_transposed(_Attention):
    """The keys are reshaped, which only counts their numbers off anew: to turn rows into columns, swap two axes."""

    def score(self, q, k):
        return q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]) / math.sqrt(self.d_h)


class over_the_queries(_Attention):
    """Softmax runs over the queries, so that columns sum to 1: each query's row should."""

    def weigh(self, scores, mask):
        scores = scores if mask is None else scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        return torch.softmax(scores, dim=-2)


class softmax_over_the_heads(_Attention):
    """Softmax runs over the heads, which compete for every key: the keys should, in each head on their own."""

    def weigh(self, scores, mask):
        weights = torch.softmax(scores, dim=-3)
        return weights if mask is None else weights.masked_fill(~mask, 0.0)


class no_maximum_subtracted(_Attention):
    """The softmax inside overflows for large scores: subtract the largest score of each row, or use torch's."""

    def weigh(self, scores, mask):
        exponentials = scores.exp() if mask is None else scores.exp() * mask
        sums = exponentials.sum(dim=-1, keepdim=True)
        return exponentials / (sums if mask is None else sums.where(sums > 0, 1.0))


class mask_ignored(_Attention):
    """The mask changes nothing: hidden keys have to be hidden before softmax."""

    def weigh(self, scores, mask):
        return torch.softmax(scores, dim=-1)


class tiny_number_for_a_large_one(_Attention):
    """Hidden scores are set to -1e-9, which is nearly 0, and exp(0) is 1: use a large negative number, such as -1e9."""

    def weigh(self, scores, mask):
        return torch.softmax(scores if mask is None else scores.masked_fill(~mask, -1e-9), dim=-1)


class hidden_scores_set_to_zero(_Attention):
    """Multiplying by the mask sets hidden scores to 0, but exp(0) is 1, so that hidden keys still count.

    The score has to be so low that nothing is left of its exponential.
    """

    def weigh(self, scores, mask):
        return torch.softmax(scores if mask is None else scores * mask, dim=-1)


class masked_after_softmax(_Attention):
    """The mask is applied to the weights, so that rows sum to less than 1: hide the scores, before softmax."""

    def weigh(self, scores, mask):
        weights = torch.softmax(scores, dim=-1)
        return weights if mask is None else weights * mask


class mask_inverted(_Attention):
    """The mask is read the wrong way round: `True` means that the query may attend to the key.

    In `nn.MultiheadAttention` it means the opposite.
    """

    def weigh(self, scores, mask):
        return _softmax(scores, None if mask is None else ~mask)


class fill_not_low_enough(_Attention):
    """Hidden scores are set to a number that other scores can be lower than: take one that no score comes near."""

    def weigh(self, scores, mask):
        if mask is None:
            return torch.softmax(scores, dim=-1)
        return torch.softmax(scores.masked_fill(~mask, -100.0), dim=-1) * mask.any(dim=-1, keepdim=True)


class nan_for_empty_rows(_Attention):
    """A row that may attend to nothing becomes NaN, and spoils everything it meets: give it the weights 0.

    Minus infinity in every place leaves softmax nothing to divide. Where do you know which weights have to be 0?
    """

    def weigh(self, scores, mask):
        return torch.softmax(scores if mask is None else scores.masked_fill(~mask, -math.inf), dim=-1)


class equal_weights_for_empty_rows(_Attention):
    """A row that may attend to nothing gets equal weights for keys that are all hidden from it: they should be 0.

    A large negative number avoids the NaN, but softmax still shares 1 out. Who can take it back?
    """

    def weigh(self, scores, mask):
        return torch.softmax(scores if mask is None else scores.masked_fill(~mask, -1e9), dim=-1)


class zero_behind_the_output_projection(_Attention):
    """A row that may attend to nothing is set to 0 behind `Wo`: it is 0 before, so that the bias of `Wo` remains."""

    def forward(self, queries, keys, values, mask=None):
        output, weights = super().forward(queries, keys, values, mask)
        return output * (weights.sum(dim=(-3, -1)) > 0).unsqueeze(-1), weights


class asked_whether_the_mask_is_true(_Attention):
    """`if mask:` asks whether a tensor of many values is true, which nobody can say: ask `if mask is not None`."""

    def weigh(self, scores, mask):
        return _softmax(scores, mask if mask else None)


class head_axis_added_to_every_mask(_Attention):
    """The mask gets one more axis for the heads, though one that differs from sentence to sentence has it already.

    Broadcasting lines axes up from the right by itself.
    """

    def weigh(self, scores, mask):
        return _softmax(scores, None if mask is None else mask.unsqueeze(-3))


class weights_averaged(_Attention):
    """The weights are averaged over the heads, and what each head looked at is lost: return those of every head."""

    def forward(self, queries, keys, values, mask=None):
        output, weights = super().forward(queries, keys, values, mask)
        return output, weights.mean(dim=-3)


class not_checked(_Attention):
    """Nobody asks whether the heads divide d_model when the module is made: raise a `ValueError` in `__init__`."""

    def __init__(self, d_model, num_heads):
        nn.Module.__init__(self)
        self.num_heads, self.d_h = num_heads, d_model // num_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))


class asserted(_Attention):
    """An `assert` raises an AssertionError, and none at all under `python -O`: raise a `ValueError`."""

    def __init__(self, d_model, num_heads):
        nn.Module.__init__(self)
        assert d_model % num_heads == 0, "not divisible"
        self.num_heads, self.d_h = num_heads, d_model // num_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))


class weights_detached(_Attention):
    """The attention weights are detached before they mix the values, so that `Wq` and `Wk` never learn.

    A copy for a picture may be detached, but not the weights that the output is made of.
    """

    def weigh(self, scores, mask):
        return _softmax(scores, mask).detach()


class graph_cut(_Attention):
    """The numbers are right, but no gradient gets past the heads: `.data`, `detach` or `no_grad` cuts the graph."""

    def merge(self, x):
        return super().merge(x).detach()


class weights_first(_Attention):
    """The two results are in the wrong order: first the output, then the weights."""

    def forward(self, queries, keys, values, mask=None):
        return super().forward(queries, keys, values, mask)[::-1]


class weights_not_returned(_Attention):
    """Only the output comes back: return the weights of the heads as well, as `output, weights`."""

    def forward(self, queries, keys, values, mask=None):
        return super().forward(queries, keys, values, mask)[0]


class not_returned(_Attention):
    """Output and weights may have been computed, but `forward` does not hand them back: it needs a `return`."""

    def forward(self, queries, keys, values, mask=None):
        super().forward(queries, keys, values, mask)
