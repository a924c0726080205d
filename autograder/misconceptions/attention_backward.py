"""Mistakes seen in answers to attention_backward."""

scale_forgotten_on_the_way_back = {" * scale  # of q kᵀ, before it is scaled": ""}
"""The scores are scaled forward, but not their gradient on the way back: it goes through the same division.

If a number is divided by 2 before it is used, how does that change its gradient?
"""

scale_forgotten_both_ways = {"1 / math.sqrt(q.shape[-1])": "1"}
"""Nothing is scaled, neither forward nor back: the scores are divided by the root of the width of a key."""

scale_forgotten_forward = {"k.transpose(-2, -1) * scale": "k.transpose(-2, -1)"}
"""The gradients are scaled, but the weights were made of scores that are not: scale them both ways."""

scaled_twice_on_the_way_back = {"grad_weights) * scale": "grad_weights) * scale * scale"}
"""The gradients of queries and keys are divided by the root of the width twice: once is enough for both."""

scale_undone_on_the_way_back = {"grad_weights) * scale": "grad_weights) / scale"}
"""The gradients are multiplied by the root of the width, to undo the scale: they are divided by it, as forward."""

divided_by_the_width = {"math.sqrt(q.shape[-1])": "q.shape[-1]"}
"""The scores are divided by the width of a key and not by its square root, forward and back."""

scaled_by_the_width_of_the_values = {"q.shape[-1]": "v.shape[-1]"}
"""The scale is made of the width of the values: it is keys that queries are multiplied with."""

keys_not_scaled = {"grad_products.transpose(-2, -1) @ q": "grad_products.transpose(-2, -1) @ q / scale"}
"""The scale reaches the gradient of the queries, not that of the keys: it belongs to their product, so to both."""

queries_not_scaled = {"grad_products @ k": "grad_products @ k / scale"}
"""The scale reaches the gradient of the keys, not that of the queries: scaled queries are not the queries yet."""

keys_scaled_twice = {"grad_products.transpose(-2, -1) @ q": "grad_products.transpose(-2, -1) @ q * scale"}
"""The gradient of the keys is scaled twice: where it is made with scaled queries, the scale is in it already."""

values_scaled = {
    "grad_v = weights.transpose(-2, -1) @ grad_output": "grad_v = weights.transpose(-2, -1) @ grad_output * scale"
}
"""The gradient of the values is divided by the root of the width too, but the scale never touches them."""

softmax_left_out = {"softmax_backward(weights, grad_weights)": "grad_weights"}
"""The gradient of the weights is used as if it were that of the scores: it has to go back through softmax."""

diagonal_of_softmax_only = {"softmax_backward(weights, grad_weights)": "weights * (1 - weights) * grad_weights"}
"""On the way through softmax the derivative of the sigmoid is taken: a score acts on all weights of its row."""

softmax_without_its_average = {"softmax_backward(weights, grad_weights)": "weights * grad_weights"}
"""On the way through softmax the average of the row is not subtracted: its scores' gradients have to add up to 0."""

softmax_with_one_average_for_all = {
    "softmax_backward(weights, grad_weights)": "weights * (grad_weights - (weights * grad_weights).sum())"
}
"""On the way through softmax one average is taken over everything: each row has an average of its own."""

softmax_over_the_queries = {
    "softmax_backward(weights, grad_weights)": """
        weights * (grad_weights - (weights * grad_weights).sum(dim=-2, keepdim=True))
    """
}
"""On the way through softmax the average runs over the queries: it is taken of each row, over the keys."""

softmax_over_the_queries_both_ways = {
    "dim=-1": "dim=-2",
    "softmax_backward(weights, grad_weights)": """
        weights * (grad_weights - (weights * grad_weights).sum(dim=-2, keepdim=True))
    """,
}
"""Softmax runs over the queries, forward and back: each row of weights sums to 1, over the keys."""

no_maximum_subtracted = {
    "weights = torch.softmax(q @ k.transpose(-2, -1) * scale, dim=-1)  # (..., n_q, n_k)": """
        exponentials = (q @ k.transpose(-2, -1) * scale).exp()
        weights = exponentials / exponentials.sum(dim=-1, keepdim=True)
    """
}
"""Softmax is written without its maximum, so that large scores overflow, and infinity by infinity is NaN.

The way back needs the same safe softmax as the way forward.
"""

last_found_first = {
    "return grad_products @ k, grad_products.transpose(-2, -1) @ q, grad_v": """
        return grad_v, grad_products @ k, grad_products.transpose(-2, -1) @ q
    """
}
"""The gradients come in the order in which they are found, values first: return them as the arguments stand."""

order_turned_round = {
    "return grad_products @ k, grad_products.transpose(-2, -1) @ q, grad_v": """
        return grad_v, grad_products.transpose(-2, -1) @ q, grad_products @ k
    """
}
"""The gradients come from the last argument to the first: return them as the arguments stand, queries first."""

queries_and_keys_swapped = {
    "return grad_products @ k, grad_products.transpose(-2, -1) @ q": """
        return grad_products.transpose(-2, -1) @ q, grad_products @ k
    """
}
"""The gradients of queries and keys have changed places in the result."""

weights_not_transposed = {"weights.transpose(-2, -1) @ grad_output": "weights @ grad_output"}
"""The weights are not transposed for the gradient of the values, which adds up over queries: check the shape.

It has one row for each key.
"""

scores_not_transposed = {"grad_products.transpose(-2, -1) @ q": "grad_products @ q"}
"""The gradient of the scores is not transposed for the keys, which adds up over queries: check the shape."""

multiplied_with_itself = {
    "grad_products @ k, grad_products.transpose(-2, -1) @ q": """
        grad_products @ q, grad_products.transpose(-2, -1) @ k
    """
}
"""The gradient of the queries is made with the queries, that of the keys with the keys: each needs the other."""

all_axes_transposed = {
    "k.transpose(-2, -1)": "k.transpose(0, -1)",
    "weights.transpose(-2, -1)": "weights.transpose(0, -1)",
    "v.transpose(-2, -1)": "v.transpose(0, -1)",
    "grad_products.transpose(-2, -1)": "grad_products.transpose(0, -1)",
}
"""All axes are turned round, those of the batch too: swap only the last two.

`.T` and `transpose(0, -1)` are right for one table; with a batch they move the sentences.
"""

one_batch_axis_expected = {
    "q @ k.transpose(-2, -1)": "torch.bmm(q, k.transpose(-2, -1))",
    "grad_output @ v.transpose(-2, -1)": "torch.bmm(grad_output, v.transpose(-2, -1))",
}
"""`torch.bmm` wants exactly one batch axis: `@` takes any number, also none."""

added_up_over_the_batch = {
    "return grad_products @ k, grad_products.transpose(-2, -1) @ q, grad_v": """
        found = grad_products @ k, grad_products.transpose(-2, -1) @ q, grad_v
        return tuple(each.flatten(end_dim=-3).sum(dim=0) if each.dim() > 2 else each for each in found)
    """
}
"""The gradients of all sentences are added up: each sentence has its own, in the shape of its argument."""

grad_output_ignored = {"scale = 1": "grad_output = torch.ones_like(grad_output)\nscale = 1"}
"""The gradient that comes in is not used, as if the loss were the plain sum of the output: begin with it."""

output_taken_for_the_weights = {
    "grad_output @ v.transpose(-2, -1)": "weights * (grad_output * (weights @ v)).sum(dim=-1, keepdim=True)"
}
"""The gradient of the output is multiplied with the output: the weights were multiplied with the values."""

values_not_weighed = {
    "weights.transpose(-2, -1) @ grad_output": "grad_output.sum(dim=-2, keepdim=True).expand_as(v).clone()"
}
"""The gradient of the values is the plain sum over the queries: each query counts as much as it attends."""

sign_turned_round = {
    "return grad_products @ k, grad_products.transpose(-2, -1) @ q, grad_v": """
        return -(grad_products @ k), -(grad_products.transpose(-2, -1) @ q), -grad_v
    """
}
"""All signs are turned round: these are the steps that make the loss smaller, and not the gradients."""

changes_its_input = {
    "return grad_products @ k, grad_products.transpose(-2, -1) @ q, grad_v": """
        grad_q, grad_k = grad_products @ k, grad_products.transpose(-2, -1) @ q
        q *= scale
        return grad_q, grad_k, grad_v
    """
}
"""The queries are scaled in place, which changes them for whoever uses them next: work on a copy."""

not_returned = {"return grad_products": "grad_products"}
