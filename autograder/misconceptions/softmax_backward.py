"""Mistakes seen in answers to softmax_backward."""

diagonal_only = {"weights * (grad - average)": "weights * (1 - weights) * grad"}
"""This is the diagonal of the Jacobian, the derivative of the sigmoid: it forgets that the other weights fall.

A score acts on all weights of its row. Do the results of a row add up to 0?
"""

average_not_subtracted = {"weights * (grad - average)": "weights * grad"}
"""The gradients are multiplied by the weights and no more: the average of the row has to be subtracted first."""

others_only = {"weights * (grad - average)": "-weights * average"}
"""The weights that fall are there, but the weight of the score's own key rises, and that is left out."""

one_average_for_the_whole_matrix = {"sum(dim=-1, keepdim=True)": "sum()"}
"""One average is taken over everything, without an axis: each row has an average of its own."""

average_over_the_queries = {"dim=-1": "dim=-2"}
"""The average runs down the columns, over the queries: it is each row, over the keys, that softmax was taken of."""

average_without_its_axis = {"dim=-1, keepdim=True": "dim=-1"}
"""The sum loses its axis, so that it is subtracted along the wrong one, or fits nowhere: keep it, with length 1.

`keepdim=True` does that.
"""

plain_average = {"(weights * grad).sum": "grad.mean"}
"""The gradients of a row are averaged as if all counted alike: each counts as much as its weight."""

plain_sum = {"(weights * grad).sum": "grad.sum"}
"""The gradients of a row are added up without their weights: each counts as much as its weight."""

divided_by_the_number_of_keys = {".sum(": ".mean("}
"""The weighted sum is divided by the number of keys, but it is an average already, for the weights sum to 1."""

not_multiplied_by_the_weights = {"weights * (grad - average)": "grad - average"}
"""The average is subtracted, but the weights in front of the bracket are missing: little weight, little effect."""

average_taken_from_weighted = {"weights * (grad - average)": "weights * grad - average"}
"""The average is subtracted from the weighted gradients: the weights multiply the whole bracket."""

average_added = {"grad - average": "grad + average"}
"""The average is added: what matters is how far a gradient lies above or below it."""

sign_turned_round = {"grad - average": "average - grad"}
"""All signs are turned round: it is the gradient minus the average, not the other way about."""

gradient_of_log_softmax = {"(weights * grad).sum": "grad.sum", "weights * (grad - average)": "grad - weights * average"}
"""This is the gradient of log-softmax: here the gradient is that of the weights, not of their logarithms."""

axis_counted_from_the_front = {"dim=-1": "dim=1"}
"""The average is taken along axis 1, which is right for a single table: count the axis of keys from the end."""

weights_taken_for_scores = {"average =": "weights = torch.softmax(weights, dim=-1)\naverage ="}
"""Softmax is taken once more, of what are weights already: use them as they come."""

softmax_of_the_gradient = {"weights * (grad - average)": "weights * torch.softmax(grad, dim=-1)"}
"""Softmax is taken of the gradient: the way back is a formula of its own, with no exponential in it."""

roles_swapped = {"weights * (grad - average)": "grad * (weights - average)"}
"""Weights and gradients have changed places: the average is subtracted from the gradients."""

products_of_whole_tables = {"weights * (grad - average)": "weights * grad - weights @ grad.transpose(-2, -1) @ weights"}
"""A matrix product of all rows with each other takes the place of the sums: no row has to do with another."""

passed_through = {"weights * (grad - average)": "grad.clone()"}
"""The gradient comes out as it went in, as if softmax did nothing to the scores."""

changes_its_input = {"return weights * (grad - average)": "grad -= average\nreturn weights * grad"}
"""The average is subtracted in place, which changes `grad` for whoever uses it next: make a new tensor."""

not_returned = {"return weights": "weights"}
