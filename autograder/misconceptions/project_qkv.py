"""Mistakes seen in answers to project_qkv."""

import torch


def one_projection_for_all(inp, wq, wk, wv):
    """Queries, keys and values all come from `wq`: each part has a matrix of its own.

    With one matrix the scores would be the same both ways again.
    """
    return inp @ wq, inp @ wq, inp @ wq


def values_made_like_keys(inp, wq, wk, wv):
    """The values are made with the keys' matrix, so that what a word is found by is also all that it passes on."""
    return inp @ wq, inp @ wk, inp @ wk


def values_not_projected(inp, wq, wk, wv):
    """The values are the tokens as they came in: they have a projection of their own, `wv`."""
    return inp @ wq, inp @ wk, inp


def keys_made_of_queries(inp, wq, wk, wv):
    """One projection is put on top of another: all three start from the tokens."""
    q = inp @ wq
    return q, q @ wk, inp @ wv


def keys_first(inp, wq, wk, wv):
    """The three results are in the wrong order: queries, keys, values."""
    return inp @ wk, inp @ wq, inp @ wv


def values_first(inp, wq, wk, wv):
    """The three results are in the wrong order: the values come last."""
    return inp @ wv, inp @ wq, inp @ wk


def matrices_turned(inp, wq, wk, wv):
    """The matrices are transposed before the product, as the weights of a linear layer are: these are not stored so.

    Which axis of `wq` is as long as a token?
    """
    return inp @ wq.transpose(0, 1), inp @ wk.transpose(0, 1), inp @ wv.transpose(0, 1)


def matrix_on_the_left(inp, wq, wk, wv):
    """The matrices stand on the left of the product: tokens are rows here, so the matrix comes after them."""
    return wq @ inp, wk @ inp, wv @ inp


def multiplied_place_by_place(inp, wq, wk, wv):
    """`*` multiplies place by place: a projection is a matrix product, which multiplies and adds up."""
    return inp * wq, inp * wk, inp * wv


def one_sentence_only(inp, wq, wk, wv):
    """This works for one sentence, a matrix, and not for a batch: there may be any number of axes in front.

    `torch.mm` and an einsum over exactly two axes refuse a third. Which product leaves leading axes alone?
    """
    return torch.mm(inp, wq), torch.mm(inp, wk), torch.mm(inp, wv)


def batch_flattened(inp, wq, wk, wv):
    """All sentences of the batch end up in one long one: the axes in front have to stay as they are."""
    rows = inp.reshape(-1, inp.shape[-1])
    return rows @ wq, rows @ wk, rows @ wv


def first_sentence_only(inp, wq, wk, wv):
    """Only the first sentence of the batch is projected, and the others are lost."""
    while inp.dim() > 2:
        inp = inp[0]
    return inp @ wq, inp @ wk, inp @ wv


def a_batch_axis_added(inp, wq, wk, wv):
    """One sentence comes back as a batch of one: the shape in front of the last two axes should stay."""
    rows = inp.reshape(-1, *inp.shape[-2:]) if inp.dim() > 2 else inp[None]
    return rows @ wq, rows @ wk, rows @ wv


def side_by_side(inp, wq, wk, wv):
    """The three results come back as one tensor, side by side: return three, as `q, k, v`."""
    return inp @ torch.cat([wq, wk, wv], dim=-1)


def normalised(inp, wq, wk, wv):
    """The projections are made into weights by a softmax: here they are only products, the weights come later."""
    return torch.softmax(inp @ wq, dim=-1), torch.softmax(inp @ wk, dim=-1), torch.softmax(inp @ wv, dim=-1)


def scaled_already(inp, wq, wk, wv):
    """The queries are divided by the square root of their width already: scaling belongs to the scores, later."""
    return inp @ wq / wq.shape[-1] ** 0.5, inp @ wk, inp @ wv


def cut_from_the_graph(inp, wq, wk, wv):
    """`detach`, `.data`, `no_grad` or `torch.tensor(...)` cuts the results off from the weights: nothing could learn.

    The numbers are right. What do they no longer remember?
    """
    return (inp @ wq).detach(), (inp @ wk).detach(), (inp @ wv).detach()


def input_cut_from_the_graph(inp, wq, wk, wv):
    """`detach` or `.data` cuts the tokens off from how they were made: what lies below this layer could not learn."""
    inp = inp.detach()
    return inp @ wq, inp @ wk, inp @ wv


def float32_only(inp, wq, wk, wv):
    """One part is turned into float32, and a product of float32 and float64 is refused: keep the type that came in."""
    inp = inp.float()
    return inp @ wq, inp @ wk, inp @ wv


def changes_its_input(inp, wq, wk, wv):
    """The tokens are overwritten, so that whoever passed them in loses them: make a new tensor."""
    result = inp @ wq, inp @ wk, inp @ wv
    inp.mul_(0)
    return result


def not_returned(inp, wq, wk, wv):
    """The three may have been computed, but the function does not hand them back: it needs a `return`."""
