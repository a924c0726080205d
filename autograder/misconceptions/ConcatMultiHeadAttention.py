"""Mistakes seen in answers to ConcatMultiHeadAttention."""

import math

import torch
from torch import nn


class _Head(nn.Module):
    """A head in which one step, scaling or weighing, can be done wrong."""

    def __init__(self, d_in, d_k, scale=None, weigh=None):
        super().__init__()
        self.wq, self.wk, self.wv = (nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in)) for _ in range(3))
        self.scale = math.sqrt(d_k) if scale is None else scale
        self.weigh = (lambda scores: torch.softmax(scores, dim=-1)) if weigh is None else weigh

    def project(self, inp):
        return inp @ self.wq, inp @ self.wk, inp @ self.wv

    def transpose(self, k):
        return k.transpose(-2, -1)

    def forward(self, inp):
        q, k, v = self.project(inp)
        weights = self.weigh(q @ self.transpose(k) / self.scale)
        return weights @ v, weights


class _Concat(nn.Module):
    """The right module, in which the kind of head, or a step, can be replaced."""

    def __init__(self, d_in, d_k, num_heads, head=_Head, **options):
        super().__init__()
        self.heads = nn.ModuleList(head(d_in, d_k, **options) for _ in range(num_heads))
        self.out = nn.Parameter(torch.randn(num_heads * d_k, d_k) / math.sqrt(num_heads * d_k))

    def join(self, outputs):
        return torch.cat(outputs, dim=-1)

    def stack(self, weights):
        return torch.stack(weights, dim=-3)

    def forward(self, inp):
        outputs, weights = zip(*(head(inp) for head in self.heads), strict=True)
        return self.join(outputs) @ self.out, self.stack(weights)


class plain_tensors(_Concat):
    """The weights are plain tensors, which `nn.Module` does not find: no optimizer will ever train them.

    What does `nn.Parameter` say that `requires_grad=True` does not?
    """

    def __init__(self, d_in, d_k, num_heads):
        class PlainHead(_Head):
            def __init__(self, d_in, d_k):
                nn.Module.__init__(self)
                self.wq, self.wk, self.wv = (torch.randn(d_in, d_k, requires_grad=True) for _ in range(3))
                self.scale, self.weigh = math.sqrt(d_k), lambda scores: torch.softmax(scores, dim=-1)

        nn.Module.__init__(self)
        self.heads = nn.ModuleList(PlainHead(d_in, d_k) for _ in range(num_heads))
        self.out = torch.randn(num_heads * d_k, d_k, requires_grad=True)


class plain_mixing_matrix(_Concat):
    """The heads are trained, but `out` is a plain tensor, which nobody finds: make it an `nn.Parameter`."""

    def __init__(self, d_in, d_k, num_heads):
        super().__init__(d_in, d_k, num_heads)
        del self.out
        self.out = torch.randn(num_heads * d_k, d_k, requires_grad=True)


class heads_in_a_list(_Concat):
    """The heads sit in a Python list, which `nn.Module` does not look into: no optimizer will ever train them.

    Which list of torch is made for modules?
    """

    def __init__(self, d_in, d_k, num_heads):
        super().__init__(d_in, d_k, num_heads)
        del self.heads
        self.heads = [_Head(d_in, d_k) for _ in range(num_heads)]


class one_head_many_times(_Concat):
    """All places hold the same head: multiplying a list repeats what is in it, so that no head can differ from another.

    Make a new head for every place.
    """

    def __init__(self, d_in, d_k, num_heads):
        super().__init__(d_in, d_k, num_heads)
        self.heads = nn.ModuleList([_Head(d_in, d_k)] * num_heads)


class made_in_forward(nn.Module):
    """The heads are made anew in every call, so that nothing that is learnt stays: make them in `__init__`."""

    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.sizes = d_in, d_k, num_heads

    def forward(self, inp):
        return _Concat(*self.sizes)(inp)


class layers_for_matrices(_Concat):
    """The weights of the heads are `nn.Linear` layers: here they are matrices of shape (d_in, d_k), without a bias."""

    def __init__(self, d_in, d_k, num_heads):
        class LinearHead(_Head):
            def __init__(self, d_in, d_k):
                nn.Module.__init__(self)
                self.wq, self.wk, self.wv = (nn.Linear(d_in, d_k, bias=False) for _ in range(3))
                self.scale, self.weigh = math.sqrt(d_k), lambda scores: torch.softmax(scores, dim=-1)

            def project(self, inp):
                return self.wq(inp), self.wk(inp), self.wv(inp)

        super().__init__(d_in, d_k, num_heads, LinearHead)


class weights_lie_on_their_side(_Concat):
    """The weights have shape (d_k, d_in), as in `nn.Linear`: here they are (d_in, d_k), so that `inp @ wq` works."""

    def __init__(self, d_in, d_k, num_heads):
        class Sideways(_Head):
            def __init__(self, d_in, d_k):
                super().__init__(d_k, d_in)
                self.scale = math.sqrt(d_k)

            def project(self, inp):
                return inp @ self.wq.T, inp @ self.wk.T, inp @ self.wv.T

        super().__init__(d_in, d_k, num_heads, Sideways)


class not_mixed(_Concat):
    """The heads stand side by side, but no last matrix mixes them: multiply by a parameter `out`."""

    def __init__(self, d_in, d_k, num_heads):
        super().__init__(d_in, d_k, num_heads)
        del self.out

    def forward(self, inp):
        outputs, weights = zip(*(head(inp) for head in self.heads), strict=True)
        return self.join(outputs), self.stack(weights)


class matrix_not_used(_Concat):
    """The matrix `out` is there, but has no part in the result: the heads side by side are to be multiplied by it."""

    def forward(self, inp):
        outputs, weights = zip(*(head(inp) for head in self.heads), strict=True)
        return self.join(outputs), self.stack(weights)


class first_and_last_axis_swapped(_Concat):
    """`transpose(0, -1)` is right for one sentence; on a batch it moves the batch axis too: swap only the last two."""

    def __init__(self, d_in, d_k, num_heads):
        class FromTheFront(_Head):
            def transpose(self, k):
                return k.transpose(0, -1)

        super().__init__(d_in, d_k, num_heads, FromTheFront)


class reshaped_instead_of_transposed(_Concat):
    """The keys are reshaped, which only counts their numbers off anew: to turn rows into columns, swap two axes."""

    def __init__(self, d_in, d_k, num_heads):
        class Reshaped(_Head):
            def transpose(self, k):
                return k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])

        super().__init__(d_in, d_k, num_heads, Reshaped)


class joined_along_axis_1(_Concat):
    """`torch.cat(results, 1)` is right for one sentence; on a batch axis 1 counts tokens. Join along the last axis."""

    def join(self, outputs):
        return torch.cat(outputs, dim=1)


class interleaved(_Concat):
    """The numbers of the heads alternate: side by side means all numbers of the first head, then all of the next."""

    def join(self, outputs):
        return torch.stack(outputs, dim=-1).flatten(-2)


class stacked_in_front_of_the_batch(_Concat):
    """The weights are stacked in front of everything, the batch too: their axis stands just before queries and keys."""

    def stack(self, weights):
        return torch.stack(weights, dim=0)


class stacked_behind_the_batch_axis(_Concat):
    """The weights are stacked as axis 1, which is right for exactly one batch axis: count the axis from the end."""

    def stack(self, weights):
        return torch.stack(weights, dim=1)


class weights_in_a_list(_Concat):
    """The weights of the heads come back as a Python list: stack them into one tensor, with an axis for the heads."""

    def stack(self, weights):
        return list(weights)


class weights_averaged(_Concat):
    """The weights are averaged over the heads, and what each head looked at is lost: return those of every head."""

    def stack(self, weights):
        return torch.stack(weights).mean(dim=0)


class weights_of_the_last_head(_Concat):
    """The weights are those of one head only: collect them in the loop, as you collect the outputs."""

    def stack(self, weights):
        return weights[-1]


class not_scaled(_Concat):
    """The scores are not scaled: divide them by the square root of the width of a head, before softmax."""

    def __init__(self, d_in, d_k, num_heads):
        super().__init__(d_in, d_k, num_heads, scale=1.0)


class scaled_by_the_width_of_all_heads(_Concat):
    """The scale is the root of the width of all heads together: a score adds up the products of one head only."""

    def __init__(self, d_in, d_k, num_heads):
        super().__init__(d_in, d_k, num_heads, scale=math.sqrt(num_heads * d_k))


class scaled_by_the_width_of_the_tokens(_Concat):
    """The scale is the root of the width of the tokens: a score adds up d_k products, the width after projecting."""

    def __init__(self, d_in, d_k, num_heads):
        super().__init__(d_in, d_k, num_heads, scale=math.sqrt(d_in))


class divided_by_the_size(_Concat):
    """The scores are divided by the width of a head itself: divide by its square root."""

    def __init__(self, d_in, d_k, num_heads):
        super().__init__(d_in, d_k, num_heads, scale=d_k)


class scaled_after_softmax(_Concat):
    """The weights are scaled, not the scores, so that no row sums to 1: scale first, then softmax."""

    def __init__(self, d_in, d_k, num_heads):
        def weigh(scores):
            return torch.softmax(scores, dim=-1) / math.sqrt(d_k)

        super().__init__(d_in, d_k, num_heads, scale=1.0, weigh=weigh)


class over_the_queries(_Concat):
    """Softmax runs over the queries, so that columns sum to 1: each query's row should."""

    def __init__(self, d_in, d_k, num_heads):
        super().__init__(d_in, d_k, num_heads, weigh=lambda scores: torch.softmax(scores, dim=-2))


class softmax_from_the_front(_Concat):
    """`softmax(dim=1)` runs over the keys of one sentence; on a batch axis 1 counts queries. Use the last axis."""

    def __init__(self, d_in, d_k, num_heads):
        super().__init__(d_in, d_k, num_heads, weigh=lambda scores: torch.softmax(scores, dim=1))


class no_maximum_subtracted(_Concat):
    """The softmax inside overflows for large scores: subtract the largest score of each row, or use torch's."""

    def __init__(self, d_in, d_k, num_heads):
        def weigh(scores):
            return scores.exp() / scores.exp().sum(dim=-1, keepdim=True)

        super().__init__(d_in, d_k, num_heads, weigh=weigh)


class queries_and_keys_swapped(_Concat):
    """Queries and keys changed places: rows of the weights belong to queries, columns to keys."""

    def __init__(self, d_in, d_k, num_heads):
        class Swapped(_Head):
            def project(self, inp):
                return inp @ self.wk, inp @ self.wq, inp @ self.wv

        super().__init__(d_in, d_k, num_heads, Swapped)


class keys_mixed_instead_of_values(_Concat):
    """The keys are mixed by the weights: it is the values that a head passes on."""

    def __init__(self, d_in, d_k, num_heads):
        class Keys(_Head):
            def project(self, inp):
                return inp @ self.wq, inp @ self.wk, inp @ self.wk

        super().__init__(d_in, d_k, num_heads, Keys)


class one_projection_for_queries_and_keys(_Concat):
    """Keys are made with the matrix of the queries, so that what a token asks for is what it offers: use `wk`."""

    def __init__(self, d_in, d_k, num_heads):
        class Shared(_Head):
            def project(self, inp):
                return inp @ self.wq, inp @ self.wq, inp @ self.wv

        super().__init__(d_in, d_k, num_heads, Shared)


class graph_cut(_Concat):
    """The numbers are right, but no gradient reaches the heads: `.data`, `detach` or `no_grad` cuts the graph."""

    def join(self, outputs):
        return torch.cat(outputs, dim=-1).detach()


class weights_detached(_Concat):
    """The attention weights are detached before they mix the values, so that queries and keys never learn.

    A copy for a picture may be detached, but not the weights that the output is made of.
    """

    def __init__(self, d_in, d_k, num_heads):
        super().__init__(d_in, d_k, num_heads, weigh=lambda scores: torch.softmax(scores, dim=-1).detach())


class weights_first(_Concat):
    """The two results are in the wrong order: first the output, then the weights."""

    def forward(self, inp):
        return super().forward(inp)[::-1]


class weights_not_returned(_Concat):
    """Only the output comes back: return the weights of the heads as well, as `output, weights`."""

    def forward(self, inp):
        return super().forward(inp)[0]


class not_returned(_Concat):
    """Output and weights may have been computed, but `forward` does not hand them back: it needs a `return`."""

    def forward(self, inp):
        super().forward(inp)
