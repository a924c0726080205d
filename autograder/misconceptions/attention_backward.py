"""Mistakes seen in answers to attention_backward."""

import math

import torch


def _weights(q, k, scale=None):
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    return torch.softmax(q @ k.mT * scale, dim=-1)


def _softmax_backward(weights, grad):
    return weights * (grad - (weights * grad).sum(dim=-1, keepdim=True))


def _back(q, k, v, grad_output, forward=None, scale=None, through=_softmax_backward):
    """The right way back, but for the scales given and what takes the place of softmax's."""
    weights = _weights(q, k, forward)
    grad_products = through(weights, grad_output @ v.mT) * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    return grad_products @ k, grad_products.mT @ q, weights.mT @ grad_output


def scale_forgotten_on_the_way_back(q, k, v, grad_output):
    """The scores are scaled forward, but not their gradient on the way back: it goes through the same division.

    If a number is divided by 2 before it is used, how does that change its gradient?
    """
    return _back(q, k, v, grad_output, scale=1)


def scale_forgotten_both_ways(q, k, v, grad_output):
    """Nothing is scaled, neither forward nor back: the scores are divided by the root of the width of a key."""
    return _back(q, k, v, grad_output, forward=1, scale=1)


def scale_forgotten_forward(q, k, v, grad_output):
    """The gradients are scaled, but the weights were made of scores that are not: scale them both ways."""
    return _back(q, k, v, grad_output, forward=1)


def scaled_twice_on_the_way_back(q, k, v, grad_output):
    """The gradients of queries and keys are divided by the root of the width twice: once is enough for both."""
    return _back(q, k, v, grad_output, scale=1 / q.shape[-1])


def scale_undone_on_the_way_back(q, k, v, grad_output):
    """The gradients are multiplied by the root of the width, to undo the scale: they are divided by it, as forward."""
    return _back(q, k, v, grad_output, scale=math.sqrt(q.shape[-1]))


def divided_by_the_width(q, k, v, grad_output):
    """The scores are divided by the width of a key and not by its square root, forward and back."""
    return _back(q, k, v, grad_output, forward=1 / q.shape[-1], scale=1 / q.shape[-1])


def scaled_by_the_width_of_the_values(q, k, v, grad_output):
    """The scale is made of the width of the values: it is keys that queries are multiplied with."""
    scale = 1 / math.sqrt(v.shape[-1])
    return _back(q, k, v, grad_output, forward=scale, scale=scale)


def keys_not_scaled(q, k, v, grad_output):
    """The scale reaches the gradient of the queries, not that of the keys: it belongs to their product, so to both."""
    grad_q, grad_k, grad_v = _back(q, k, v, grad_output)
    return grad_q, grad_k * math.sqrt(q.shape[-1]), grad_v


def queries_not_scaled(q, k, v, grad_output):
    """The scale reaches the gradient of the keys, not that of the queries: scaled queries are not the queries yet."""
    grad_q, grad_k, grad_v = _back(q, k, v, grad_output)
    return grad_q * math.sqrt(q.shape[-1]), grad_k, grad_v


def keys_scaled_twice(q, k, v, grad_output):
    """The gradient of the keys is scaled twice: where it is made with scaled queries, the scale is in it already."""
    grad_q, grad_k, grad_v = _back(q, k, v, grad_output)
    return grad_q, grad_k / math.sqrt(q.shape[-1]), grad_v


def values_scaled(q, k, v, grad_output):
    """The gradient of the values is divided by the root of the width too, but the scale never touches them."""
    grad_q, grad_k, grad_v = _back(q, k, v, grad_output)
    return grad_q, grad_k, grad_v / math.sqrt(q.shape[-1])


def softmax_left_out(q, k, v, grad_output):
    """The gradient of the weights is used as if it were that of the scores: it has to go back through softmax."""
    return _back(q, k, v, grad_output, through=lambda weights, grad: grad)


def diagonal_of_softmax_only(q, k, v, grad_output):
    """On the way through softmax the derivative of the sigmoid is taken: a score acts on all weights of its row."""
    return _back(q, k, v, grad_output, through=lambda weights, grad: weights * (1 - weights) * grad)


def softmax_without_its_average(q, k, v, grad_output):
    """On the way through softmax the average of the row is not subtracted, so the gradients of its scores do not
    add up to 0.
    """
    return _back(q, k, v, grad_output, through=lambda weights, grad: weights * grad)


def softmax_with_one_average_for_all(q, k, v, grad_output):
    """On the way through softmax one average is taken over everything: each row has an average of its own."""
    return _back(q, k, v, grad_output, through=lambda weights, grad: weights * (grad - (weights * grad).sum()))


def softmax_over_the_queries(q, k, v, grad_output):
    """On the way through softmax the average runs over the queries: it is taken of each row, over the keys."""

    def through(weights, grad):
        return weights * (grad - (weights * grad).sum(dim=-2, keepdim=True))

    return _back(q, k, v, grad_output, through=through)


def softmax_over_the_queries_both_ways(q, k, v, grad_output):
    """Softmax runs over the queries, forward and back: each row of weights sums to 1, over the keys."""
    weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-2)
    grad_weights = grad_output @ v.mT
    grad_scores = weights * (grad_weights - (weights * grad_weights).sum(dim=-2, keepdim=True))
    grad_products = grad_scores / math.sqrt(q.shape[-1])
    return grad_products @ k, grad_products.mT @ q, weights.mT @ grad_output


def no_maximum_subtracted(q, k, v, grad_output):
    """Softmax is written without its maximum, so that large scores overflow, and infinity by infinity is NaN.

    The way back needs the same safe softmax as the way forward.
    """
    exponentials = (q @ k.mT / math.sqrt(q.shape[-1])).exp()
    weights = exponentials / exponentials.sum(dim=-1, keepdim=True)
    grad_products = _softmax_backward(weights, grad_output @ v.mT) / math.sqrt(q.shape[-1])
    return grad_products @ k, grad_products.mT @ q, weights.mT @ grad_output


def last_found_first(q, k, v, grad_output):
    """The gradients come in the order in which they are found, values first: return them as the arguments stand."""
    grad_q, grad_k, grad_v = _back(q, k, v, grad_output)
    return grad_v, grad_q, grad_k


def order_turned_round(q, k, v, grad_output):
    """The gradients come from the last argument to the first: return them as the arguments stand, queries first."""
    return _back(q, k, v, grad_output)[::-1]


def queries_and_keys_swapped(q, k, v, grad_output):
    """The gradients of queries and keys have changed places in the result."""
    grad_q, grad_k, grad_v = _back(q, k, v, grad_output)
    return grad_k, grad_q, grad_v


def weights_not_transposed(q, k, v, grad_output):
    """The weights are not transposed for the gradient of the values, which adds up over queries: check the shape.

    It has one row for each key.
    """
    grad_q, grad_k, _ = _back(q, k, v, grad_output)
    return grad_q, grad_k, _weights(q, k) @ grad_output


def scores_not_transposed(q, k, v, grad_output):
    """The gradient of the scores is not transposed for the keys, which adds up over queries: check the shape."""
    grad_q, _, grad_v = _back(q, k, v, grad_output)
    grad_products = _softmax_backward(_weights(q, k), grad_output @ v.mT) / math.sqrt(q.shape[-1])
    return grad_q, grad_products @ q, grad_v


def multiplied_with_itself(q, k, v, grad_output):
    """The gradient of the queries is made with the queries, that of the keys with the keys: each needs the other."""
    grad_products = _softmax_backward(_weights(q, k), grad_output @ v.mT) / math.sqrt(q.shape[-1])
    return grad_products @ q, grad_products.mT @ k, _weights(q, k).mT @ grad_output


def all_axes_transposed(q, k, v, grad_output):
    """All axes are turned round, those of the batch too: swap only the last two.

    `.T` and `transpose(0, -1)` are right for one table; with a batch they move the sentences.
    """
    weights = torch.softmax(q @ k.transpose(0, -1) / math.sqrt(q.shape[-1]), dim=-1)
    grad_products = _softmax_backward(weights, grad_output @ v.transpose(0, -1)) / math.sqrt(q.shape[-1])
    return grad_products @ k, grad_products.transpose(0, -1) @ q, weights.transpose(0, -1) @ grad_output


def one_batch_axis_expected(q, k, v, grad_output):
    """`torch.bmm` wants exactly one batch axis: `@` takes any number, also none."""
    weights = torch.softmax(torch.bmm(q, k.mT) / math.sqrt(q.shape[-1]), dim=-1)
    grad_products = _softmax_backward(weights, torch.bmm(grad_output, v.mT)) / math.sqrt(q.shape[-1])
    return torch.bmm(grad_products, k), torch.bmm(grad_products.mT, q), torch.bmm(weights.mT, grad_output)


def added_up_over_the_batch(q, k, v, grad_output):
    """The gradients of all sentences are added up: each sentence has its own, in the shape of its argument."""
    found = _back(q, k, v, grad_output)
    return tuple(
        gradient.sum(dim=tuple(range(gradient.dim() - 2))) if gradient.dim() > 2 else gradient for gradient in found
    )


def grad_output_ignored(q, k, v, grad_output):
    """The gradient that comes in is not used, as if the loss were the plain sum of the output: begin with it."""
    return _back(q, k, v, torch.ones_like(grad_output))


def output_taken_for_the_weights(q, k, v, grad_output):
    """The gradient of the output is multiplied with the output: the weights were multiplied with the values."""
    weights = _weights(q, k)
    output = weights @ v
    grad_weights = weights * (grad_output * output).sum(dim=-1, keepdim=True)
    grad_products = _softmax_backward(weights, grad_weights) / math.sqrt(q.shape[-1])
    return grad_products @ k, grad_products.mT @ q, weights.mT @ grad_output


def values_not_weighed(q, k, v, grad_output):
    """The gradient of the values is the plain sum over the queries: each query counts as much as it attends."""
    grad_q, grad_k, grad_v = _back(q, k, v, grad_output)
    return grad_q, grad_k, grad_output.sum(dim=-2, keepdim=True).expand_as(grad_v).clone()


def sign_turned_round(q, k, v, grad_output):
    """All signs are turned round: these are the steps that make the loss smaller, and not the gradients."""
    return tuple(-gradient for gradient in _back(q, k, v, grad_output))


def changes_its_input(q, k, v, grad_output):
    """The queries are scaled in place, which changes them for whoever uses them next: work on a copy."""
    gradients = _back(q, k, v, grad_output)
    q /= math.sqrt(q.shape[-1])
    return gradients


def not_returned(q, k, v, grad_output):
    """The gradients may have been computed, but the function does not hand them back: it needs a `return`."""
