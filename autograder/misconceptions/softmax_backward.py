"""Mistakes seen in answers to softmax_backward."""

import torch


def _average(weights, grad):
    """The right one, (..., n_q, 1)."""
    return (weights * grad).sum(dim=-1, keepdim=True)


def _backward(weights, grad):
    return weights * (grad - _average(weights, grad))


def diagonal_only(weights, grad):
    """This is the diagonal of the Jacobian, the derivative of the sigmoid: it forgets that the other weights fall.

    A score acts on all weights of its row. Do the results of a row add up to 0?
    """
    return weights * (1 - weights) * grad


def average_not_subtracted(weights, grad):
    """The gradients are multiplied by the weights and no more: the average of the row has to be subtracted first."""
    return weights * grad


def others_only(weights, grad):
    """The weights that fall are there, but the weight of the score's own key rises, and that is left out."""
    return -weights * _average(weights, grad)


def one_average_for_the_whole_matrix(weights, grad):
    """One average is taken over everything, without an axis: each row has an average of its own."""
    return weights * (grad - (weights * grad).sum())


def average_over_the_queries(weights, grad):
    """The average runs down the columns, over the queries: it is each row, over the keys, that softmax was taken of."""
    return weights * (grad - (weights * grad).sum(dim=-2, keepdim=True))


def average_without_its_axis(weights, grad):
    """The sum loses its axis, so that it is subtracted along the wrong one, or fits nowhere: keep it, with length 1.

    `keepdim=True` does that.
    """
    return weights * (grad - (weights * grad).sum(dim=-1))


def plain_average(weights, grad):
    """The gradients of a row are averaged as if all counted alike: each counts as much as its weight."""
    return weights * (grad - grad.mean(dim=-1, keepdim=True))


def plain_sum(weights, grad):
    """The gradients of a row are added up without their weights: each counts as much as its weight."""
    return weights * (grad - grad.sum(dim=-1, keepdim=True))


def divided_by_the_number_of_keys(weights, grad):
    """The weighted sum is divided by the number of keys, but it is an average already, for the weights sum to 1."""
    return weights * (grad - (weights * grad).mean(dim=-1, keepdim=True))


def not_multiplied_by_the_weights(weights, grad):
    """The average is subtracted, but the weights in front of the bracket are missing: a score with little weight
    matters little.
    """
    return grad - _average(weights, grad)


def average_taken_from_weighted(weights, grad):
    """The average is subtracted from the weighted gradients: the weights multiply the whole bracket."""
    return weights * grad - _average(weights, grad)


def average_added(weights, grad):
    """The average is added: what matters is how far a gradient lies above or below it."""
    return weights * (grad + _average(weights, grad))


def sign_turned_round(weights, grad):
    """All signs are turned round: it is the gradient minus the average, not the other way about."""
    return -_backward(weights, grad)


def gradient_of_log_softmax(weights, grad):
    """This is the gradient of log-softmax: here the gradient is that of the weights, not of their logarithms."""
    return grad - weights * grad.sum(dim=-1, keepdim=True)


def axis_counted_from_the_front(weights, grad):
    """The average is taken along axis 1, which is right for a single table: count the axis of keys from the end."""
    return weights * (grad - (weights * grad).sum(dim=1, keepdim=True))


def weights_taken_for_scores(weights, grad):
    """Softmax is taken once more, of what are weights already: use them as they come."""
    return _backward(torch.softmax(weights, dim=-1), grad)


def softmax_of_the_gradient(weights, grad):
    """Softmax is taken of the gradient: the way back is a formula of its own, with no exponential in it."""
    return weights * torch.softmax(grad, dim=-1)


def roles_swapped(weights, grad):
    """Weights and gradients have changed places: the average is subtracted from the gradients."""
    return grad * (weights - _average(weights, grad))


def products_of_whole_tables(weights, grad):
    """A matrix product of all rows with each other takes the place of the sums: no row has to do with another."""
    return weights * grad - weights @ grad.transpose(-2, -1) @ weights


def passed_through(weights, grad):
    """The gradient comes out as it went in, as if softmax did nothing to the scores."""
    return grad.clone()


def changes_its_input(weights, grad):
    """The average is subtracted in place, which changes `grad` for whoever uses it next: make a new tensor."""
    grad -= _average(weights, grad)
    return weights * grad


def not_returned(weights, grad):
    """The gradient may have been computed, but the function does not hand it back: it needs a `return`."""
