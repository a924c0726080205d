"""Mistakes seen in answers to additive_scores."""

import torch


def _hidden(queries, keys):
    """The bent sums of all pairs, (..., n_q, n_k, d)."""
    return torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3))


def query_i_with_key_i_only(queries, keys, ws):
    """Query i is added to key i and meets no other key, and where the numbers differ there is nothing to add.

    Every query should meet every key. How large is the table of scores, and how large is your sum?
    """
    return torch.tanh(queries + keys) @ ws


def the_same_row_for_all(queries, keys, ws):
    """Query i is added to key i only, and that one row of scores is repeated: each query has a row of its own."""
    row = torch.tanh(queries + keys) @ ws
    return row.unsqueeze(-2).expand(*row.shape, row.shape[-1]).clone()


def first_query_only(queries, keys, ws):
    """Only the first query is compared with the keys, and comes back as one row: every query needs a row."""
    return torch.tanh(queries[..., :1, :] + keys) @ ws


def as_many_keys_as_queries(queries, keys, ws):
    """As many keys are looked at as there are queries: both lengths have to be read, from their own shapes."""
    n = queries.shape[-2]
    columns = [torch.tanh(queries + keys[..., j : j + 1, :]) @ ws for j in range(n)]
    return torch.stack(columns, dim=-1)


def multiplied_instead_of_added(queries, keys, ws):
    """Queries and keys are multiplied, as for a dot product, and then bent: here they are added."""
    return torch.tanh(queries.unsqueeze(-2) * keys.unsqueeze(-3)) @ ws


def dot_products(queries, keys, ws):
    """These are dot products, the scores of the last chapter: here queries and keys are added, bent and weighed."""
    return queries @ keys.transpose(-2, -1)


def weighted_dot_products(queries, keys, ws):
    """These are dot products weighed by `ws`: here queries and keys are added, not multiplied, and then bent."""
    return (queries * ws) @ keys.transpose(-2, -1)


def subtracted(queries, keys, ws):
    """The keys are subtracted from the queries: the score is made of their sum."""
    return torch.tanh(queries.unsqueeze(-2) - keys.unsqueeze(-3)) @ ws


def no_bend(queries, keys, ws):
    """The sum is not bent: without `tanh`, every query raises all its scores by the same amount.

    Softmax sees only differences, so all queries would get the same weights.
    """
    return (queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws


def bent_after_weighing(queries, keys, ws):
    """`tanh` comes after the weighted sum, and squeezes all scores between -1 and 1: bend first, then weigh."""
    return torch.tanh((queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws)


def bent_before_adding(queries, keys, ws):
    """Queries and keys are bent one by one and then added, so that they never meet inside the bend: add first."""
    return (torch.tanh(queries).unsqueeze(-2) + torch.tanh(keys).unsqueeze(-3)) @ ws


def weighed_before_the_bend(queries, keys, ws):
    """The sums are weighed before they are bent: `ws` says how much each *bent* sum counts."""
    return torch.tanh((queries.unsqueeze(-2) + keys.unsqueeze(-3)) * ws).sum(dim=-1)


def bent_twice(queries, keys, ws):
    """The weighted sum of bent numbers is bent once more: a score may be larger than 1."""
    return torch.tanh(_hidden(queries, keys) @ ws)


def sigmoid_for_tanh(queries, keys, ws):
    """The bend is a sigmoid, which lies between 0 and 1: `tanh` is 0 at 0 and lies between -1 and 1."""
    return torch.sigmoid(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws


def relu_for_tanh(queries, keys, ws):
    """The bend is a ReLU, which cuts off what is negative and lets all else grow: here it is `tanh`."""
    return torch.relu(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws


def ws_not_used(queries, keys, ws):
    """The bent sums are only added up: each of them counts as much as `ws` says."""
    return _hidden(queries, keys).sum(dim=-1)


def mean_instead_of_sum(queries, keys, ws):
    """The weighted numbers are averaged: add them up, how much each counts is said by `ws` alone."""
    return (_hidden(queries, keys) * ws).mean(dim=-1)


def not_added_up(queries, keys, ws):
    """The weighted numbers are not added up, so that a pair has a whole row of them: a score is one number."""
    return _hidden(queries, keys) * ws


def scaled(queries, keys, ws):
    """The scores are divided by a square root, as those of dot products are: here nothing is scaled.

    How large can a number get that `tanh` has bent?
    """
    return _hidden(queries, keys) @ ws / queries.shape[-1] ** 0.5


def weights_instead_of_scores(queries, keys, ws):
    """Softmax has run already, so that each row sums to 1: here the scores themselves are asked for."""
    return torch.softmax(_hidden(queries, keys) @ ws, dim=-1)


def rows_belong_to_keys(queries, keys, ws):
    """The table lies on its side: row i should hold the scores of query i, a column for each key."""
    return torch.tanh(queries.unsqueeze(-3) + keys.unsqueeze(-2)) @ ws


def axis_of_one_left(queries, keys, ws):
    """An axis of length 1 is left at the end: take it away, or multiply by `ws` as a vector."""
    return _hidden(queries, keys) @ ws.unsqueeze(-1)


def every_axis_of_one_squeezed(queries, keys, ws):
    """`squeeze()` takes away every axis of length 1, those of a single query, key or batch too: say which you mean."""
    return (_hidden(queries, keys) @ ws.unsqueeze(-1)).squeeze()


def axes_counted_from_the_front(queries, keys, ws):
    """`unsqueeze(1)` and `unsqueeze(0)` are right for one sentence; on a batch they land elsewhere:
    count from the end.
    """
    return torch.tanh(queries.unsqueeze(1) + keys.unsqueeze(0)) @ ws


def one_batch_axis_expected(queries, keys, ws):
    """`unsqueeze(2)` and `unsqueeze(1)` are right for exactly one batch axis, not for none or two:
    count from the end.
    """
    return torch.tanh(queries.unsqueeze(2) + keys.unsqueeze(1)) @ ws


def first_sentence_only(queries, keys, ws):
    """Only the first sentence of the batch is scored, and the others are lost."""
    while queries.dim() > 2:
        queries, keys = queries[0], keys[0]
    return _hidden(queries, keys) @ ws


def tanh_overflows(queries, keys, ws):
    """`tanh` is put together from exponentials, and for large sums infinity is divided by infinity: use torch's."""
    sums = queries.unsqueeze(-2) + keys.unsqueeze(-3)
    return (sums.exp() - (-sums).exp()) / (sums.exp() + (-sums).exp()) @ ws


def float32_only(queries, keys, ws):
    """One part is turned into float32, and a product of float32 and float64 is refused: keep the type that came in."""
    return _hidden(queries, keys).float() @ ws


def cut_from_the_graph(queries, keys, ws):
    """The numbers are right, but no gradient gets past: `.item()`, `detach`, `no_grad` or `torch.tensor` cuts it off.

    Where do the numbers leave torch, and come back as new ones?
    """
    return (_hidden(queries, keys) @ ws).detach()


def keys_cut_from_the_graph(queries, keys, ws):
    """A part is detached before it is added, so that no gradient reaches how it was made."""
    return _hidden(queries, keys.detach()) @ ws


def changes_its_input(queries, keys, ws):
    """`unsqueeze_` changes the shape of what was passed in, for whoever uses it next:
    without the `_` at the end it makes a new tensor.
    """
    return torch.tanh(queries.unsqueeze_(-2) + keys.unsqueeze_(-3)) @ ws


def not_returned(queries, keys, ws):
    """The scores may have been computed, but the function does not hand them back: it needs a `return`."""
