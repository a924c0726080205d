"""Mistakes seen in answers to TrainableAttention."""

import math

import torch
from torch import nn


def _attention(q, k, v, scale=None, dim=-1, axes=(-2, -1), weigh=None):
    scores = q @ k.transpose(*axes) / (math.sqrt(k.shape[-1]) if scale is None else scale)
    weights = torch.softmax(scores, dim=dim) if weigh is None else weigh(scores)
    return weights @ v, weights


class _Layers(nn.Module):
    """Three layers, made by a function of the widths, and a function of the module and the three inputs."""

    def __init__(self, num_in_features, num_out_features, attend, make=nn.Linear):
        super().__init__()
        self.Wq, self.Wk, self.Wv = (make(num_in_features, num_out_features) for _ in range(3))
        self.attend = attend

    def forward(self, queries, keys, values):
        return self.attend(self, queries, keys, values)


def _projected(layer, queries, keys, values):
    return layer.Wq(queries), layer.Wk(keys), layer.Wv(values)


def _attend(layer, *inputs, **wrong):
    return _attention(*_projected(layer, *inputs), **wrong)


def one_layer_for_all(num_in_features=300, num_out_features=256):
    """One and the same layer serves as `Wq`, `Wk` and `Wv`: make three, so that they can learn different things."""
    shared = nn.Linear(num_in_features, num_out_features)
    return _Layers(num_in_features, num_out_features, _attend, lambda *widths: shared)


class in_a_python_list(nn.Module):
    """The layers stand in a Python list, where the module does not find them: set each as an attribute."""

    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.layers = [nn.Linear(num_in_features, num_out_features) for _ in range(3)]

    def forward(self, queries, keys, values):
        Wq, Wk, Wv = self.layers
        return _attention(Wq(queries), Wk(keys), Wv(values))


class layers_of_other_names(nn.Module):
    """The layers are registered, but under other names: they should be `Wq`, `Wk` and `Wv`."""

    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.wq, self.wk, self.wv = (nn.Linear(num_in_features, num_out_features) for _ in range(3))

    def forward(self, queries, keys, values):
        return _attention(self.wq(queries), self.wk(keys), self.wv(values))


def without_bias(num_in_features=300, num_out_features=256):
    """The layers have no bias: leave `nn.Linear` as it is when it is made, without `bias=False`."""
    return _Layers(num_in_features, num_out_features, _attend, lambda *widths: nn.Linear(*widths, bias=False))


def parameters_in_place_of_layers(num_in_features=300, num_out_features=256):
    """`Wq`, `Wk` and `Wv` are matrices here, as in the exercise before: this one wants an `nn.Linear` for each."""

    def attend(module, queries, keys, values):
        return _attention(queries @ module.Wq, keys @ module.Wk, values @ module.Wv)

    return _Layers(num_in_features, num_out_features, attend, lambda *widths: nn.Parameter(torch.randn(*widths)))


def widths_swapped(num_in_features=300, num_out_features=256):
    """The widths of the layers are swapped: `nn.Linear` takes the width that comes in, then the one that goes out."""
    return _Layers(num_out_features, num_in_features, _attend)


def widths_written_as_numbers(num_in_features=300, num_out_features=256):
    """The layers have the widths 300 and 256 whatever is asked for: use the two arguments of `__init__`."""
    return _Layers(300, 256, _attend)


def values_keep_the_width(num_in_features=300, num_out_features=256):
    """The values keep their width: `Wv` leads from `num_in_features` to `num_out_features`, as the other two do."""
    module = _Layers(num_in_features, num_out_features, _attend)
    module.Wv = nn.Linear(num_in_features, num_in_features)
    return module


class a_layer_too_many(nn.Module):
    """The module trains more than it should: `Wq`, `Wk` and `Wv` are the only layers.

    A final layer belongs to attention with several heads. What is there to recombine here?
    """

    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq, self.Wk, self.Wv = (nn.Linear(num_in_features, num_out_features) for _ in range(3))
        self.Wo = nn.Linear(num_out_features, num_out_features)

    def forward(self, queries, keys, values):
        return _attention(self.Wq(queries), self.Wk(keys), self.Wv(values))


class init_of_the_module_left_out(nn.Module):
    """`super().__init__()` is missing, and without it a module cannot register anything: call it first."""

    def __init__(self, num_in_features=300, num_out_features=256):
        self.Wq = nn.Linear(num_in_features, num_out_features)


def cut_from_the_graph(num_in_features=300, num_out_features=256):
    """`no_grad`, `.data` or `detach` cuts the output off from the layers: they are registered, and still never learn.

    The numbers are right. What do they no longer remember?
    """

    def attend(layer, *inputs):
        return tuple(part.detach() for part in _attend(layer, *inputs))

    return _Layers(num_in_features, num_out_features, attend)


def weights_cut_from_the_graph(num_in_features=300, num_out_features=256):
    """The attention weights are detached before they mix the values, so that `Wq` and `Wk` never learn."""

    def attend(layer, *inputs):
        weights = _attend(layer, *inputs)[1].detach()
        return weights @ layer.Wv(inputs[2]), weights

    return _Layers(num_in_features, num_out_features, attend)


def queries_not_projected(num_in_features=300, num_out_features=256):
    """The queries are compared as they came in: project them with `Wq` first."""

    def attend(layer, queries, keys, values):
        return _attention(queries, layer.Wk(keys), layer.Wv(values))

    return _Layers(num_in_features, num_out_features, attend)


def keys_not_projected(num_in_features=300, num_out_features=256):
    """The keys are compared as they came in: project them with `Wk` first."""

    def attend(layer, queries, keys, values):
        return _attention(layer.Wq(queries), keys, layer.Wv(values))

    return _Layers(num_in_features, num_out_features, attend)


def values_not_projected(num_in_features=300, num_out_features=256):
    """The values are mixed as they came in: project them with `Wv` first."""

    def attend(layer, queries, keys, values):
        return _attention(layer.Wq(queries), layer.Wk(keys), values)

    return _Layers(num_in_features, num_out_features, attend)


def values_made_of_keys(num_in_features=300, num_out_features=256):
    """The values are made of the keys: they come in on their own, and may differ."""
    return _Layers(num_in_features, num_out_features, lambda layer, q, k, v: _attend(layer, q, k, k))


def all_from_the_queries(num_in_features=300, num_out_features=256):
    """Keys and values are made of the queries, so that a sentence only meets itself: they are another sentence."""
    return _Layers(num_in_features, num_out_features, lambda layer, q, k, v: _attend(layer, q, q, q))


def layers_mixed_up(num_in_features=300, num_out_features=256):
    """`Wq` projects the keys and `Wk` the queries: each layer has its own input."""
    return _Layers(
        num_in_features,
        num_out_features,
        lambda layer, q, k, v: _attention(layer.Wk(q), layer.Wq(k), layer.Wv(v)),
    )


def queries_and_keys_swapped(num_in_features=300, num_out_features=256):
    """Queries and keys changed places in the scores: rows of the weights belong to queries."""

    def attend(layer, *inputs):
        q, k, v = _projected(layer, *inputs)
        return _attention(k, q, v)

    return _Layers(num_in_features, num_out_features, attend)


def not_scaled(num_in_features=300, num_out_features=256):
    """The scores are not scaled: divide them by the square root of the width of the projected keys."""
    return _Layers(num_in_features, num_out_features, lambda *parts: _attend(*parts, scale=1.0))


def scaled_by_the_width_that_comes_in(num_in_features=300, num_out_features=256):
    """The scores are scaled by the width that comes in: it is the projected queries and keys that are multiplied."""
    scale = math.sqrt(num_in_features)
    return _Layers(num_in_features, num_out_features, lambda *parts: _attend(*parts, scale=scale))


def divided_by_the_size(num_in_features=300, num_out_features=256):
    """The scores are divided by the width of the keys itself: divide by its square root."""
    return _Layers(num_in_features, num_out_features, lambda *parts: _attend(*parts, scale=num_out_features))


def over_the_queries(num_in_features=300, num_out_features=256):
    """Softmax runs over the queries, so that columns sum to 1: each row should."""
    return _Layers(num_in_features, num_out_features, lambda *parts: _attend(*parts, dim=-2))


def along_an_axis_counted_from_the_front(num_in_features=300, num_out_features=256):
    """Softmax runs along axis 1, which are the keys of one sentence, but the queries of a batch: count from the end."""
    return _Layers(num_in_features, num_out_features, lambda *parts: _attend(*parts, dim=1))


def first_and_last_axis_swapped(num_in_features=300, num_out_features=256):
    """`transpose(0, -1)` swaps the axis of the sentences with that of the features: swap the last two axes.

    On one sentence the two are the same. Count the axes from the end.
    """
    return _Layers(num_in_features, num_out_features, lambda *parts: _attend(*parts, axes=(0, -1)))


def tanh_after_the_projection(num_in_features=300, num_out_features=256):
    """The projections are bent by an activation function: they are plain matrix products with a bias."""

    def attend(layer, *inputs):
        return _attention(*(torch.tanh(part) for part in _projected(layer, *inputs)))

    return _Layers(num_in_features, num_out_features, attend)


def weights_first(num_in_features=300, num_out_features=256):
    """The two results are in the wrong order: first the output, then the weights."""
    return _Layers(num_in_features, num_out_features, lambda *parts: _attend(*parts)[::-1])


def weights_not_returned(num_in_features=300, num_out_features=256):
    """Only the output comes back: return the weights as well, as `attn_output, attn_matrix`."""
    return _Layers(num_in_features, num_out_features, lambda *parts: _attend(*parts)[0])


def not_returned(num_in_features=300, num_out_features=256):
    """Output and weights may have been computed, but `forward` does not hand them back: it needs a `return`."""
    return _Layers(num_in_features, num_out_features, lambda *parts: None)


def scaled_after_softmax(num_in_features=300, num_out_features=256):
    """The weights are divided by the root, so that no row sums to 1: scale the scores, then take softmax."""

    def weigh(scores):
        return torch.softmax(scores, dim=-1) / math.sqrt(num_out_features)

    return _Layers(num_in_features, num_out_features, lambda *parts: _attend(*parts, scale=1.0, weigh=weigh))


def multiplied_by_the_root(num_in_features=300, num_out_features=256):
    """The scores are multiplied by the square root of the width: divide, or they grow with the width all the more."""
    return _Layers(num_in_features, num_out_features, lambda *parts: _attend(*parts, scale=num_out_features**-0.5))


def one_sum_for_everything(num_in_features=300, num_out_features=256):
    """One sum runs over the whole table of weights: every row has a sum of its own, which is 1."""

    def weigh(scores):
        return torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)

    return _Layers(num_in_features, num_out_features, lambda *parts: _attend(*parts, weigh=weigh))


def no_maximum_subtracted(num_in_features=300, num_out_features=256):
    """`exp` overflows for large scores: subtract the largest of each row first, or leave it to `torch.softmax`."""

    def weigh(scores):
        exponentials = torch.exp(scores)
        return exponentials / exponentials.sum(dim=-1, keepdim=True)

    return _Layers(num_in_features, num_out_features, lambda *parts: _attend(*parts, weigh=weigh))


def one_maximum_for_everything(num_in_features=300, num_out_features=256):
    """One maximum is subtracted from all rows, and rows far below it become 0 / 0: each row has its own."""

    def weigh(scores):
        exponentials = torch.exp(scores - scores.max())
        return exponentials / exponentials.sum(dim=-1, keepdim=True)

    return _Layers(num_in_features, num_out_features, lambda *parts: _attend(*parts, weigh=weigh))


def divided_by_the_sum(num_in_features=300, num_out_features=256):
    """The scores are divided by their sum without the exponential, and some weights are negative: use softmax."""

    def weigh(scores):
        return scores / scores.sum(dim=-1, keepdim=True)

    return _Layers(num_in_features, num_out_features, lambda *parts: _attend(*parts, weigh=weigh))


def argmax(num_in_features=300, num_out_features=256):
    """All the weight goes to the best key: softmax gives every key its share."""

    def weigh(scores):
        best = scores.argmax(dim=-1, keepdim=True)
        return torch.zeros_like(scores).scatter(-1, best, 1.0)

    return _Layers(num_in_features, num_out_features, lambda *parts: _attend(*parts, weigh=weigh))


def scores_for_weights(num_in_features=300, num_out_features=256):
    """Softmax is left out: what mixes the values and comes back are the scores, whose rows do not sum to 1."""
    return _Layers(num_in_features, num_out_features, lambda *parts: _attend(*parts, weigh=lambda scores: scores))


def reshaped_instead_of_transposed(num_in_features=300, num_out_features=256):
    """`reshape` only counts the numbers of the keys off anew; turning rows into columns is what `transpose` does."""

    def attend(layer, *inputs):
        q, k, v = _projected(layer, *inputs)
        turned = k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])
        weights = torch.softmax(q @ turned / math.sqrt(k.shape[-1]), dim=-1)
        return weights @ v, weights

    return _Layers(num_in_features, num_out_features, attend)
