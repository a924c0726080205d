"""Mistakes seen in answers to SelfAttention."""

import math

import torch
from torch import nn


def _attention(q, k, v, scale=None, dim=-1, axes=(-2, -1), weigh=None):
    scores = q @ k.transpose(*axes) / (math.sqrt(k.shape[-1]) if scale is None else scale)
    weights = torch.softmax(scores, dim=dim) if weigh is None else weigh(scores)
    return weights @ v, weights


def _attend(inp, wq, wk, wv, **wrong):
    return _attention(inp @ wq, inp @ wk, inp @ wv, **wrong)


def _start(d_in, d_k):
    return torch.randn(d_in, d_k) / math.sqrt(d_in)


class _Plain(nn.Module):
    """Three tensors, made by a function of the sizes, and a function of the input and the three."""

    def __init__(self, sizes, make, attend=_attend):
        super().__init__()
        self.attend = attend
        self.wq, self.wk, self.wv = make(*sizes), make(*sizes), make(*sizes)

    def forward(self, inp):
        return self.attend(inp, self.wq, self.wk, self.wv)


def _module(d_in, d_k, attend=_attend):
    return _Plain((d_in, d_k), lambda *sizes: nn.Parameter(_start(*sizes)), attend)


def plain_tensors(d_in, d_k):
    """The weights are plain tensors, so `parameters()` is empty: wrap them in `nn.Parameter`, or nothing trains.

    The numbers come out right all the same, and that is what hides it. What would an optimizer get to see?
    """
    return _Plain((d_in, d_k), torch.rand)


def gradients_but_not_registered(d_in, d_k):
    """The weights ask for gradients, but the module does not know them: only an `nn.Parameter` is registered."""
    return _Plain((d_in, d_k), lambda *sizes: torch.randn(*sizes, requires_grad=True))


class buffers(nn.Module):
    """The weights are buffers, or parameters that ask for no gradient: they are saved, but never trained."""

    def __init__(self, d_in, d_k):
        super().__init__()
        for name in ("wq", "wk", "wv"):
            self.register_buffer(name, _start(d_in, d_k))

    def forward(self, inp):
        return _attend(inp, self.wq, self.wk, self.wv)


class made_in_forward(nn.Module):
    """The weights are made anew at every call, in `forward`: make them once, in `__init__`, and keep them.

    What would be left of a step of training at the next call?
    """

    def __init__(self, d_in, d_k):
        super().__init__()
        self.sizes = d_in, d_k

    def forward(self, inp):
        self.wq, self.wk, self.wv = (nn.Parameter(_start(*self.sizes)) for _ in range(3))
        return _attend(inp, self.wq, self.wk, self.wv)


class in_a_python_list(nn.Module):
    """The weights stand in a Python list or tuple, where the module does not find them: set each as an attribute."""

    def __init__(self, d_in, d_k):
        super().__init__()
        self.matrices = [nn.Parameter(_start(d_in, d_k)) for _ in range(3)]

    def forward(self, inp):
        return _attend(inp, *self.matrices)


class parameters_of_other_names(nn.Module):
    """The parameters are registered, but under other names: they should be `wq`, `wk` and `wv`."""

    def __init__(self, d_in, d_k):
        super().__init__()
        self.Wq, self.Wk, self.Wv = (nn.Parameter(_start(d_in, d_k)) for _ in range(3))

    def forward(self, inp):
        return _attend(inp, self.Wq, self.Wk, self.Wv)


class linear_layers(nn.Module):
    """`wq`, `wk` and `wv` are layers here: this exercise wants the matrices themselves, of shape (d_in, d_k).

    The next exercise is about layers.
    """

    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq, self.wk, self.wv = (nn.Linear(d_in, d_k, bias=False) for _ in range(3))

    def forward(self, inp):
        return _attention(self.wq(inp), self.wk(inp), self.wv(inp))


def one_matrix_for_all(d_in, d_k):
    """One and the same parameter serves as `wq`, `wk` and `wv`: make three, so that they can learn different things."""
    shared = nn.Parameter(_start(d_in, d_k))
    return _Plain((d_in, d_k), lambda *sizes: shared)


def weights_turned(d_in, d_k):
    """The parameters have the shape (d_k, d_in), as those of a linear layer do: here it is (d_in, d_k)."""

    def attend(inp, wq, wk, wv):
        return _attend(inp, wq.T, wk.T, wv.T)

    return _Plain((d_k, d_in), lambda *sizes: nn.Parameter(_start(*sizes)), attend)


class values_keep_the_width(nn.Module):
    """`wv` keeps the width of the tokens: its shape is (d_in, d_k) as well."""

    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq, self.wk = nn.Parameter(_start(d_in, d_k)), nn.Parameter(_start(d_in, d_k))
        self.wv = nn.Parameter(_start(d_in, d_in))

    def forward(self, inp):
        return _attend(inp, self.wq, self.wk, self.wv)


class a_parameter_too_many(nn.Module):
    """The module has a parameter that nobody asked for: `wq`, `wk` and `wv` are all there is to train."""

    def __init__(self, d_in, d_k):
        super().__init__()
        self.wq, self.wk, self.wv = (nn.Parameter(_start(d_in, d_k)) for _ in range(3))
        self.bias = nn.Parameter(torch.zeros(d_k))

    def forward(self, inp):
        output, weights = _attend(inp, self.wq, self.wk, self.wv)
        return output + self.bias, weights


class init_of_the_module_left_out(nn.Module):
    """`super().__init__()` is missing, and without it a module cannot register anything: call it first."""

    def __init__(self, d_in, d_k):
        self.wq = nn.Parameter(_start(d_in, d_k))


def weights_cut_from_the_graph(d_in, d_k):
    """`.data` or `detach` cuts the output off from the parameters: they are registered, and still nothing can learn.

    Use the parameters themselves in the products.
    """

    def attend(inp, wq, wk, wv):
        return _attend(inp, wq.data, wk.data, wv.data)

    return _module(d_in, d_k, attend)


def no_grad(d_in, d_k):
    """`no_grad` or `detach` cuts the output off from everything that made it, so that nothing can learn."""

    def attend(*tensors):
        return tuple(part.detach() for part in _attend(*tensors))

    return _module(d_in, d_k, attend)


def attention_weights_cut_from_the_graph(d_in, d_k):
    """The attention weights are detached before they mix the values, so that `wq` and `wk` never learn."""

    def attend(inp, wq, wk, wv):
        weights = _attend(inp, wq, wk, wv)[1].detach()
        return weights @ (inp @ wv), weights

    return _module(d_in, d_k, attend)


def not_scaled(d_in, d_k):
    """The scores are not scaled: divide them by the square root of `d_k` before softmax."""
    return _module(d_in, d_k, lambda *tensors: _attend(*tensors, scale=1.0))


def scaled_by_the_width_of_the_tokens(d_in, d_k):
    """The scores are scaled by the root of `d_in`: the width of queries and keys, `d_k`, is what makes them large."""
    return _module(d_in, d_k, lambda *tensors: _attend(*tensors, scale=math.sqrt(d_in)))


def divided_by_the_size(d_in, d_k):
    """The scores are divided by `d_k` itself: divide by its square root."""
    return _module(d_in, d_k, lambda *tensors: _attend(*tensors, scale=d_k))


def over_the_queries(d_in, d_k):
    """Softmax runs over the queries, so that columns sum to 1: each row should."""
    return _module(d_in, d_k, lambda *tensors: _attend(*tensors, dim=-2))


def along_an_axis_counted_from_the_front(d_in, d_k):
    """Softmax runs along axis 1, which are the keys of one sentence, but the queries of a batch: count from the end."""
    return _module(d_in, d_k, lambda *tensors: _attend(*tensors, dim=1))


def first_and_last_axis_swapped(d_in, d_k):
    """`transpose(0, -1)` swaps the axis of the sentences with that of the features: swap the last two axes.

    On one sentence the two are the same. Count the axes from the end.
    """
    return _module(d_in, d_k, lambda *tensors: _attend(*tensors, axes=(0, -1)))


def queries_and_keys_swapped(d_in, d_k):
    """`wq` makes the keys here and `wk` the queries: row i of the weights belongs to query i."""
    return _module(d_in, d_k, lambda inp, wq, wk, wv: _attend(inp, wk, wq, wv))


def tokens_mixed_instead_of_values(d_in, d_k):
    """The tokens themselves are mixed by the weights: mix their values, which `wv` makes."""

    def attend(inp, wq, wk, wv):
        weights = _attend(inp, wq, wk, wv)[1]
        return weights @ inp, weights

    return _module(d_in, d_k, attend)


def weights_first(d_in, d_k):
    """The two results are in the wrong order: first the output, then the weights."""
    return _module(d_in, d_k, lambda *tensors: _attend(*tensors)[::-1])


def weights_not_returned(d_in, d_k):
    """Only the output comes back: return the weights as well, as `output, weights`."""
    return _module(d_in, d_k, lambda *tensors: _attend(*tensors)[0])


def not_returned(d_in, d_k):
    """Output and weights may have been computed, but `forward` does not hand them back: it needs a `return`."""
    return _module(d_in, d_k, lambda *tensors: None)


def scaled_after_softmax(d_in, d_k):
    """The weights are divided by the root, so that no row sums to 1: scale the scores, then take softmax."""

    def weigh(scores):
        return torch.softmax(scores, dim=-1) / math.sqrt(d_k)

    return _module(d_in, d_k, lambda *tensors: _attend(*tensors, scale=1.0, weigh=weigh))


def multiplied_by_the_root(d_in, d_k):
    """The scores are multiplied by the square root of the width: divide, or they grow with the width all the more."""
    return _module(d_in, d_k, lambda *tensors: _attend(*tensors, scale=d_k**-0.5))


def one_sum_for_everything(d_in, d_k):
    """One sum runs over the whole table of weights: every row has a sum of its own, which is 1."""

    def weigh(scores):
        return torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)

    return _module(d_in, d_k, lambda *tensors: _attend(*tensors, weigh=weigh))


def no_maximum_subtracted(d_in, d_k):
    """`exp` overflows for large scores: subtract the largest of each row first, or leave it to `torch.softmax`."""

    def weigh(scores):
        exponentials = torch.exp(scores)
        return exponentials / exponentials.sum(dim=-1, keepdim=True)

    return _module(d_in, d_k, lambda *tensors: _attend(*tensors, weigh=weigh))


def one_maximum_for_everything(d_in, d_k):
    """One maximum is subtracted from all rows, and rows far below it become 0 / 0: each row has its own."""

    def weigh(scores):
        exponentials = torch.exp(scores - scores.max())
        return exponentials / exponentials.sum(dim=-1, keepdim=True)

    return _module(d_in, d_k, lambda *tensors: _attend(*tensors, weigh=weigh))


def divided_by_the_sum(d_in, d_k):
    """The scores are divided by their sum without the exponential, and some weights are negative: use softmax."""

    def weigh(scores):
        return scores / scores.sum(dim=-1, keepdim=True)

    return _module(d_in, d_k, lambda *tensors: _attend(*tensors, weigh=weigh))


def argmax(d_in, d_k):
    """All the weight goes to the best key: softmax gives every key its share."""

    def weigh(scores):
        best = scores.argmax(dim=-1, keepdim=True)
        return torch.zeros_like(scores).scatter(-1, best, 1.0)

    return _module(d_in, d_k, lambda *tensors: _attend(*tensors, weigh=weigh))


def scores_for_weights(d_in, d_k):
    """Softmax is left out: what mixes the values and comes back are the scores, whose rows do not sum to 1."""
    return _module(d_in, d_k, lambda *tensors: _attend(*tensors, weigh=lambda scores: scores))


def reshaped_instead_of_transposed(d_in, d_k):
    """`reshape` only counts the numbers of the keys off anew; turning rows into columns is what `transpose` does."""

    def attend(inp, wq, wk, wv):
        q, k, v = inp @ wq, inp @ wk, inp @ wv
        turned = k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])
        weights = torch.softmax(q @ turned / math.sqrt(k.shape[-1]), dim=-1)
        return weights @ v, weights

    return _module(d_in, d_k, attend)
