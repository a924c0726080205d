"""Mistakes seen in answers to attention_backward."""

scale_forgotten_on_the_way_back = {" * scale  # of q kᵀ, before it is scaled": ""}
"""The scores are scaled on the way forward, and their gradient is not on the way back. The gradient of the values is
right.

If a number is divided by 2 before it is used, how does that change its gradient?

The gradient of the scores should go through the same division.
"""

scale_forgotten_both_ways = {"1 / math.sqrt(q.shape[-1])": "1"}
"""Nothing is scaled, neither forward nor back. With keys of width 1 it looks right.

Compare your weights with those of your own attention.

The scores should be divided by the root of the width of the keys, and so should their gradient.
"""

scale_forgotten_forward = {"k.transpose(-2, -1) * scale": "k.transpose(-2, -1)"}
"""The gradients are scaled, but the weights were made of scores that are not. With keys of width 1 it looks right.

Compare your weights with those of your own attention.

The scores should be scaled on the way forward, too.
"""

scaled_twice_on_the_way_back = {"grad_weights) * scale": "grad_weights) * scale * scale"}
"""The gradients of queries and keys are divided by the root of the width twice. That of the values is right.

By which factor do yours miss the right ones, for keys of width 4 and of width 9?

There should be one division for both.
"""

scale_undone_on_the_way_back = {"grad_weights) * scale": "grad_weights) / scale"}
"""The gradients are multiplied by the root of the width, as if to undo the scale. That of the values is right.

If a number is divided by 2 before it is used, how does that change its gradient?

The gradient of the scores should be divided by the root of the width, as the scores are.
"""

divided_by_the_width = {"math.sqrt(q.shape[-1])": "q.shape[-1]"}
"""The scores are divided by the whole width of the keys, forward and back. With keys of width 1 it looks right.

Compare your weights with those of your own attention.

The divisor should be the square root of the width.
"""

scaled_by_the_width_of_the_values = {"q.shape[-1]": "v.shape[-1]"}
"""The scale comes from the width of the values. Where they are as wide as the keys, nothing shows.

Make the values wider, and leave queries and keys alone. Should the weights change?

The scale should be the root of the width of the keys.
"""

keys_not_scaled = {"grad_products.transpose(-2, -1) @ q": "grad_products.transpose(-2, -1) @ q / scale"}
"""The scale reaches the gradient of the queries and not that of the keys.

By which factor does the gradient of the keys miss the right one?

The scale belongs to the product of both, so it should reach both.
"""

queries_not_scaled = {"grad_products @ k": "grad_products @ k / scale"}
"""The scale reaches the gradient of the keys and not that of the queries.

By which factor does the gradient of the queries miss the right one?

The scale belongs to the product of both, so it should reach both.
"""

keys_scaled_twice = {"grad_products.transpose(-2, -1) @ q": "grad_products.transpose(-2, -1) @ q * scale"}
"""The gradient of the keys is scaled twice, as when it is made with queries that are scaled already. The other two are
right.

By which factor does the gradient of the keys miss the right one?

The scale should reach each of the two gradients once.
"""

values_scaled = {
    "grad_v = weights.transpose(-2, -1) @ grad_output": "grad_v = weights.transpose(-2, -1) @ grad_output * scale"
}
"""The gradient of the values is divided by the root of the width, too. The other two are right.

Does the scale touch the values on the way forward?

The gradient of the values should be made without the scale.
"""

softmax_left_out = {"softmax_backward(weights, grad_weights)": "grad_weights"}
"""The gradient of the weights is used as if it were that of the scores. The gradient of the values is right.

Which steps lead from the scores to the output, and which of them have you gone back through?

The gradient should go back through softmax.
"""

diagonal_of_softmax_only = {"softmax_backward(weights, grad_weights)": "weights * (1 - weights) * grad_weights"}
"""On the way back through softmax each score gets the effect on its own weight only, the derivative of the sigmoid. The
gradient of the values is right.

Do the gradients of the scores of a row add up to 0?

A score acts on all weights of its row, and the gradient should count them all.
"""

softmax_without_its_average = {"softmax_backward(weights, grad_weights)": "weights * grad_weights"}
"""On the way back through softmax the gradients are multiplied by the weights and no more. The gradient of the values
is right.

Do the gradients of the scores of a row add up to 0?

The average of the row should be subtracted first, as your `softmax_backward` does.
"""

softmax_with_one_average_for_all = {
    "softmax_backward(weights, grad_weights)": "weights * (grad_weights - (weights * grad_weights).sum())"
}
"""On the way back through softmax one sum is taken over everything. With one sentence and one query it is right.

Do the gradients of the scores of each row add up to 0?

Each row should have an average of its own, as in your `softmax_backward`.
"""

softmax_over_the_queries = {
    "softmax_backward(weights, grad_weights)": """
        weights * (grad_weights - (weights * grad_weights).sum(dim=-2, keepdim=True))
    """
}
"""On the way back through softmax the average runs over the queries. The gradient of the values is right.

Do the gradients of the scores of each row add up to 0?

The average should run over the keys, as in your `softmax_backward`.
"""

softmax_over_the_queries_both_ways = {
    "dim=-1": "dim=-2",
    "softmax_backward(weights, grad_weights)": """
        weights * (grad_weights - (weights * grad_weights).sum(dim=-2, keepdim=True))
    """,
}
"""Softmax runs over the queries, forward and back: the columns of the weights sum to 1.

Add up the rows of your weights.

Each row, the weights of one query over all keys, should sum to 1.
"""

no_maximum_subtracted = {
    "weights = torch.softmax(q @ k.transpose(-2, -1) * scale, dim=-1)  # (..., n_q, n_k)": """
        exponentials = (q @ k.transpose(-2, -1) * scale).exp()
        weights = exponentials / exponentials.sum(dim=-1, keepdim=True)
    """
}
"""The softmax on the way forward overflows for large scores, and NaN comes back. For scores near 0 it is right.

Try queries with numbers near 1000.

Scores of any size should give weights; `torch.softmax` sees to it.
"""

last_found_first = {
    "return grad_products @ k, grad_products.transpose(-2, -1) @ q, grad_v": """
        return grad_v, grad_products @ k, grad_products.transpose(-2, -1) @ q
    """
}
"""The gradient of the values comes first, then those of queries and keys. Each of them is right.

Print the shapes of the three results beside those of the arguments.

They should come in the order of the arguments.
"""

order_turned_round = {
    "return grad_products @ k, grad_products.transpose(-2, -1) @ q, grad_v": """
        return grad_v, grad_products.transpose(-2, -1) @ q, grad_products @ k
    """
}
"""The gradients come from the last argument to the first. Each of them is right.

Print the shapes of the three results beside those of the arguments.

They should come in the order of the arguments, queries first.
"""

queries_and_keys_swapped = {
    "return grad_products @ k, grad_products.transpose(-2, -1) @ q": """
        return grad_products.transpose(-2, -1) @ q, grad_products @ k
    """
}
"""The gradients of queries and keys have changed places in the result. Each of them is right.

Call it with 2 queries and 5 keys, and print the shapes.

The gradient of the queries should come first.
"""

weights_not_transposed = {"weights.transpose(-2, -1) @ grad_output": "weights @ grad_output"}
"""The gradient of the values is made with the weights as they are. With as many queries as keys every shape fits.

How many rows should the gradient of the values have: one for each query, or for each key?

It should add up over the queries, so rows and columns of the weights change places.
"""

scores_not_transposed = {"grad_products.transpose(-2, -1) @ q": "grad_products @ q"}
"""The gradient of the keys is made with that of the scores as it is. With as many queries as keys its shape fits.

How many rows should the gradient of the keys have: one for each query, or for each key?

It should add up over the queries, so rows and columns of the scores' gradient change places.
"""

multiplied_with_itself = {
    "grad_products @ k, grad_products.transpose(-2, -1) @ q": """
        grad_products @ q, grad_products.transpose(-2, -1) @ k
    """
}
"""The gradient of the queries is made with the queries, that of the keys with the keys. With as many queries as keys
every shape fits.

If s = q · k, what is the derivative of s with respect to q?

Each of the two should be made with the other.
"""

all_axes_transposed = {
    "k.transpose(-2, -1)": "k.transpose(0, -1)",
    "weights.transpose(-2, -1)": "weights.transpose(0, -1)",
    "v.transpose(-2, -1)": "v.transpose(0, -1)",
    "grad_products.transpose(-2, -1)": "grad_products.transpose(0, -1)",
}
"""The first axis changes places with the last, as `transpose(0, -1)` does. For one table that is right; with a batch it
moves the sentences.

Print the shape of `torch.ones(2, 3, 4).transpose(0, -1)`.

Only the last two axes should change places.
"""

one_batch_axis_expected = {
    "q @ k.transpose(-2, -1)": "torch.bmm(q, k.transpose(-2, -1))",
    "grad_output @ v.transpose(-2, -1)": "torch.bmm(grad_output, v.transpose(-2, -1))",
}
"""Without a batch axis, or with two, it raises an error, as `torch.bmm` does. With exactly one it works.

Call it with a single sentence, of shape (3, 4).

Any number of batch axes should do.
"""

added_up_over_the_batch = {
    "return grad_products @ k, grad_products.transpose(-2, -1) @ q, grad_v": """
        found = grad_products @ k, grad_products.transpose(-2, -1) @ q, grad_v
        return tuple(each.flatten(end_dim=-3).sum(dim=0) if each.dim() > 2 else each for each in found)
    """
}
"""The gradients of all sentences are added up. Without a batch it is right.

Print the shapes for a batch of 2.

Each sentence should have its own gradients, in the shapes of the arguments.
"""

grad_output_ignored = {"scale = 1": "grad_output = torch.ones_like(grad_output)\nscale = 1"}
"""The gradient that comes in is not used, as if the loss were the plain sum of the output.

Double `grad_output`. What should happen to the results, and what does?

The way back should begin with `grad_output`.
"""

output_taken_for_the_weights = {
    "grad_output @ v.transpose(-2, -1)": "weights * (grad_output * (weights @ v)).sum(dim=-1, keepdim=True)"
}
"""The gradient of the weights is made with the output, where the values are meant. The gradient of the values is right.

If output = weights @ v, what is the derivative of the output with respect to a weight?

The gradient of the weights should be made of `grad_output` and the values.
"""

values_not_weighed = {
    "weights.transpose(-2, -1) @ grad_output": "grad_output.sum(dim=-2, keepdim=True).expand_as(v).clone()"
}
"""The gradient of the values is the plain sum over the queries: all keys get the same.

If a query pays no attention to a key, can its value matter to that output?

Each query should count as much as it attends to the key.
"""

sign_turned_round = {
    "return grad_products @ k, grad_products.transpose(-2, -1) @ q, grad_v": """
        return -(grad_products @ k), -(grad_products.transpose(-2, -1) @ q), -grad_v
    """
}
"""All signs are the other way round: these are the steps that make the loss smaller.

Compare with finite differences: raise one number of `v` a little. Does the loss rise or fall?

The results should be the gradients themselves.
"""

changes_its_input = {
    "return grad_products @ k, grad_products.transpose(-2, -1) @ q, grad_v": """
        grad_q, grad_k = grad_products @ k, grad_products.transpose(-2, -1) @ q
        q *= scale
        return grad_q, grad_k, grad_v
    """
}
"""The gradients are right, but after the call the queries are no longer what they were.

Print the queries before and after the call.

The call should leave its arguments as they are.
"""

not_returned = {"return grad_products": "grad_products"}
