"""Mistakes seen in answers to AdditiveAttention."""

import torch
from torch import nn


class _Additive(nn.Module):
    """The right module, in which any step can be replaced."""

    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq = nn.Linear(num_in_features, num_out_features)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Ws = nn.Linear(num_out_features, 1)

    def project(self, queries, keys):
        return self.Wq(queries), self.Wk(keys)

    def add(self, queries, keys):
        return queries.unsqueeze(-2) + keys.unsqueeze(-3)

    def bend(self, sums):
        return torch.tanh(sums)

    def score(self, queries, keys):
        return self.Ws(self.bend(self.add(*self.project(queries, keys)))).squeeze(-1)

    def weigh(self, scores):
        return torch.softmax(scores, dim=-1)

    def forward(self, queries, keys, values):
        attn_matrix = self.weigh(self.score(queries, keys))
        return attn_matrix @ values, attn_matrix


class query_i_with_key_i_only(_Additive):
    """Query i is added to key i and meets no other key: there is one row of weights where each query needs its own.

    What happens for three queries and five keys? Your `additive_scores` knows how every query meets every key.
    """

    def score(self, queries, keys):
        return self.Ws(torch.tanh(self.Wq(queries) + self.Wk(keys))).transpose(-2, -1)


class first_query_only(_Additive):
    """Only the first query is compared with the keys: every query needs a row of weights, and an output."""

    def forward(self, queries, keys, values):
        return super().forward(queries[..., :1, :], keys, values)


class the_other_module(_Additive):
    """These are the dot products of the last chapter, and `Ws` has no part in them: add, bend, and let `Ws` weigh."""

    def score(self, queries, keys):
        return self.Wq(queries) @ self.Wk(keys).transpose(-2, -1)


class the_other_module_scaled(_Additive):
    """These are scaled dot products, and `Ws` has no part in them: add, bend, and let `Ws` weigh."""

    def score(self, queries, keys):
        return self.Wq(queries) @ self.Wk(keys).transpose(-2, -1) / self.Wq.out_features**0.5


class multiplied_instead_of_added(_Additive):
    """Projected queries and keys are multiplied before they are bent: here they are added."""

    def add(self, queries, keys):
        return queries.unsqueeze(-2) * keys.unsqueeze(-3)


class subtracted(_Additive):
    """The projected keys are subtracted from the queries: the score is made of their sum."""

    def add(self, queries, keys):
        return queries.unsqueeze(-2) - keys.unsqueeze(-3)


class concatenated(_Additive):
    """Queries and keys are put side by side, so that `Ws` is twice as wide: here they are added."""

    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__(num_in_features, num_out_features)
        self.Ws = nn.Linear(2 * num_out_features, 1)

    def add(self, queries, keys):
        queries, keys = queries.unsqueeze(-2), keys.unsqueeze(-3)
        return torch.cat(torch.broadcast_tensors(queries, keys), dim=-1)


class not_projected(_Additive):
    """Queries and keys are added as they came in, and `Wq` and `Wk` have no part in it: project them first.

    How many numbers does `Ws` expect, and how many has a token?
    """

    def project(self, queries, keys):
        return queries, keys


class queries_not_projected(_Additive):
    """Only the keys are projected: queries go through `Wq` before they are added."""

    def project(self, queries, keys):
        return queries, self.Wk(keys)


class keys_not_projected(_Additive):
    """Only the queries are projected: keys go through `Wk` before they are added."""

    def project(self, queries, keys):
        return self.Wq(queries), keys


class one_projection_for_both(_Additive):
    """Keys go through the layer of the queries, so that what a token asks for is what it offers: they have `Wk`."""

    def project(self, queries, keys):
        return self.Wq(queries), self.Wq(keys)


class projections_swapped(_Additive):
    """The two projections changed places: `Wq` is for the queries, `Wk` for the keys."""

    def project(self, queries, keys):
        return self.Wk(queries), self.Wq(keys)


class values_projected_too(_Additive):
    """The values are projected by `Wk`: here they pass as they are, whatever their width."""

    def forward(self, queries, keys, values):
        return super().forward(queries, keys, self.Wk(values))


class layer_for_the_values(_Additive):
    """There is a layer `Wv`, but additive attention only decides where to look: the values pass as they are."""

    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__(num_in_features, num_out_features)
        self.Wv = nn.Linear(num_in_features, num_out_features)

    def forward(self, queries, keys, values):
        return super().forward(queries, keys, self.Wv(values))


class no_bend(_Additive):
    """The sums are not bent: without `tanh`, a query raises the scores of all keys alike, and softmax cannot see it."""

    def bend(self, sums):
        return sums


class bent_before_adding(_Additive):
    """Queries and keys are bent one by one and then added, so that they never meet inside the bend: add first."""

    def score(self, queries, keys):
        queries, keys = self.project(queries, keys)
        return self.Ws(self.add(torch.tanh(queries), torch.tanh(keys))).squeeze(-1)


class bent_after_weighing(_Additive):
    """`tanh` comes after `Ws`, and squeezes all scores between -1 and 1: bend the sums, then weigh them."""

    def score(self, queries, keys):
        return torch.tanh(self.Ws(self.add(*self.project(queries, keys)))).squeeze(-1)


class bent_twice(_Additive):
    """What `Ws` returns is bent once more, which keeps all scores between -1 and 1: only the sums are bent."""

    def score(self, queries, keys):
        return torch.tanh(super().score(queries, keys))


class sigmoid_for_tanh(_Additive):
    """The bend is a sigmoid, which lies between 0 and 1: `tanh` lies between -1 and 1."""

    def bend(self, sums):
        return torch.sigmoid(sums)


class relu_for_tanh(_Additive):
    """The bend is a ReLU, which cuts off what is negative and lets all else grow: here it is `tanh`."""

    def bend(self, sums):
        return torch.relu(sums)


class ws_not_used(_Additive):
    """The bent sums are added up as they are, and `Ws` has no part in the scores: it says how much each sum counts."""

    def score(self, queries, keys):
        return self.bend(self.add(*self.project(queries, keys))).sum(dim=-1)


class scaled(_Additive):
    """The scores are divided by a square root, as dot products are: here nothing is scaled.

    How large can a number get that `tanh` has bent?
    """

    def score(self, queries, keys):
        return super().score(queries, keys) / self.Wq.out_features**0.5


class axis_of_one_left(_Additive):
    """The axis of length 1 that `Ws` leaves is still there when the values are mixed: take the last axis away."""

    def forward(self, queries, keys, values):
        attn_matrix = torch.softmax(self.Ws(self.bend(self.add(*self.project(queries, keys)))), dim=-2)
        return attn_matrix @ values, attn_matrix


class softmax_over_the_axis_of_one(_Additive):
    """Softmax runs over the axis of length 1 that `Ws` leaves behind, so that every weight is 1: take it away first."""

    def forward(self, queries, keys, values):
        scores = self.Ws(self.bend(self.add(*self.project(queries, keys))))
        attn_matrix = torch.softmax(scores, dim=-1).squeeze(-1)
        return attn_matrix @ values, attn_matrix


class every_axis_of_one_squeezed(_Additive):
    """`squeeze()` takes away every axis of length 1, the batch of one and the single query too: say which you mean."""

    def score(self, queries, keys):
        return super().score(queries, keys).squeeze()


class axes_counted_from_the_front(_Additive):
    """`unsqueeze(1)` and `unsqueeze(0)` are right for one sentence; on a batch they land elsewhere.

    Counted from the end, an axis stays where it is whatever stands in front.
    """

    def add(self, queries, keys):
        return queries.unsqueeze(1) + keys.unsqueeze(0)


class one_batch_axis_expected(_Additive):
    """`unsqueeze(2)` and `unsqueeze(1)` are right for exactly one batch axis, not for none or two.

    Counted from the end, an axis stays where it is whatever stands in front.
    """

    def add(self, queries, keys):
        return queries.unsqueeze(2) + keys.unsqueeze(1)


class rows_belong_to_keys(_Additive):
    """The table lies on its side: rows of the weights belong to queries, columns to keys."""

    def add(self, queries, keys):
        return queries.unsqueeze(-3) + keys.unsqueeze(-2)


class one_sum_for_everything(_Additive):
    """One softmax runs over all scores: each query needs weights of its own that sum to 1."""

    def weigh(self, scores):
        return torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)


class one_sum_for_each_sentence(_Additive):
    """One softmax runs over the whole table of a sentence: each query needs weights of its own that sum to 1."""

    def weigh(self, scores):
        return torch.softmax(scores.flatten(-2), dim=-1).reshape(scores.shape)


class over_the_queries(_Additive):
    """Softmax runs over the queries, so that columns sum to 1: each query's row should."""

    def weigh(self, scores):
        return torch.softmax(scores, dim=-2)


class softmax_from_the_front(_Additive):
    """`softmax(dim=1)` runs over the keys of one sentence; on a batch axis 1 counts queries. Use the last axis."""

    def weigh(self, scores):
        return torch.softmax(scores, dim=1)


class softmax_as_axis_2(_Additive):
    """`softmax(dim=2)` is right for exactly one batch axis, not for none or two: use the last axis."""

    def weigh(self, scores):
        return torch.softmax(scores, dim=2)


class no_maximum_subtracted(_Additive):
    """The softmax inside overflows for large scores: subtract the largest score of each row, or use torch's."""

    def weigh(self, scores):
        return scores.exp() / scores.exp().sum(dim=-1, keepdim=True)


class one_maximum_for_everything(_Additive):
    """One maximum is subtracted from the whole table, and rows far below it end in 0/0: take each row's own."""

    def weigh(self, scores):
        exponentials = (scores - scores.max()).exp()
        return exponentials / exponentials.sum(dim=-1, keepdim=True)


class divided_by_the_sum(_Additive):
    """The scores are divided by their sum, which may be negative or nearly 0: softmax takes exponentials first."""

    def weigh(self, scores):
        return scores / scores.sum(dim=-1, keepdim=True)


class argmax(_Additive):
    """All the attention of a query goes to its best key: softmax gives every key its share."""

    def weigh(self, scores):
        return nn.functional.one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(scores.dtype)


class no_softmax(_Additive):
    """The values are mixed by the scores themselves: softmax makes weights of them first, which sum to 1."""

    def weigh(self, scores):
        return scores


class keys_mixed_instead_of_values(_Additive):
    """The keys are mixed by the weights: it is the values that are passed on."""

    def forward(self, queries, keys, values):
        return super().forward(queries, keys, keys)


class queries_added_to_the_output(_Additive):
    """The queries are added to the output, as a residual connection would: return the mixture alone."""

    def forward(self, queries, keys, values):
        attn_output, attn_matrix = super().forward(queries, keys, values)
        return attn_output + queries, attn_matrix


class score_of_many_numbers(_Additive):
    """`Ws` returns as many numbers as it takes, which are then added up: it should return one number, the score."""

    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__(num_in_features, num_out_features)
        self.Ws = nn.Linear(num_out_features, num_out_features)

    def score(self, queries, keys):
        return self.Ws(self.bend(self.add(*self.project(queries, keys)))).sum(dim=-1)


class score_weights_as_a_vector(_Additive):
    """`Ws` is a vector of weights, as in `additive_scores`: here it is an `nn.Linear` to one number, with a bias."""

    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__(num_in_features, num_out_features)
        del self.Ws
        self.Ws = nn.Parameter(torch.randn(num_out_features))

    def score(self, queries, keys):
        return self.bend(self.add(*self.project(queries, keys))) @ self.Ws


class score_weights_not_registered(_Additive):
    """The weights of the score are a plain tensor, which `nn.Module` does not find: make `Ws` an `nn.Linear`."""

    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__(num_in_features, num_out_features)
        del self.Ws
        self.Ws = torch.randn(num_out_features)

    def score(self, queries, keys):
        return self.bend(self.add(*self.project(queries, keys))) @ self.Ws


class made_in_forward(nn.Module):
    """The layers are made anew in every call, so that nothing that is learned stays: make them in `__init__`."""

    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.sizes = num_in_features, num_out_features

    def forward(self, queries, keys, values):
        return _Additive(*self.sizes)(queries, keys, values)


class super_forgotten(nn.Module):
    """`super().__init__()` was not called, or only after the layers were made: it has to come first in `__init__`."""

    def __init__(self, num_in_features=300, num_out_features=256):
        self.Wq = nn.Linear(num_in_features, num_out_features)


class layers_frozen(_Additive):
    """The layers are there but do not learn: `requires_grad` was turned off."""

    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__(num_in_features, num_out_features)
        self.requires_grad_(False)


class widths_swapped(_Additive):
    """The widths of `Wq` and `Wk` are the wrong way round: first how many numbers come in, then how many go out."""

    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__(num_out_features, num_in_features)
        self.Ws = nn.Linear(num_out_features, 1)


class widths_written_as_numbers(_Additive):
    """The widths are written into the code: take those that `__init__` is given."""

    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()


class cut_from_the_graph(_Additive):
    """The numbers are right, but no gradient reaches the layers: `.data`, `detach` or `no_grad` cuts the graph."""

    def forward(self, queries, keys, values):
        with torch.no_grad():
            return super().forward(queries, keys, values)


class weights_detached(_Additive):
    """The attention weights are detached before they mix the values, so that no layer ever learns.

    A copy for a picture may be detached, but not the weights that the output is made of.
    """

    def weigh(self, scores):
        return super().weigh(scores).detach()


class weights_first(_Additive):
    """The two results are in the wrong order: first the output, then the weights."""

    def forward(self, queries, keys, values):
        return super().forward(queries, keys, values)[::-1]


class weights_not_returned(_Additive):
    """Only the output comes back: return the weights as well, as `attn_output, attn_matrix`."""

    def forward(self, queries, keys, values):
        return super().forward(queries, keys, values)[0]


class scores_instead_of_weights(_Additive):
    """The second result holds the scores: return the weights that softmax made of them."""

    def forward(self, queries, keys, values):
        return super().forward(queries, keys, values)[0], self.score(queries, keys)


class not_returned(_Additive):
    """Output and weights may have been computed, but `forward` does not hand them back: it needs a `return`."""

    def forward(self, queries, keys, values):
        super().forward(queries, keys, values)
