"""Mistakes seen in answers to softmax_backward."""

diagonal_only = {"weights * (grad - average)": "weights * (1 - weights) * grad"}
"""Each score gets the effect on its own weight only, the diagonal of the Jacobian, which is the derivative of the
sigmoid. The other weights of the row change, too.

A score acts on all weights of its row. Do the results of a row add up to 0?

The gradient of a score should count what it does to every weight of its row.
"""

average_not_subtracted = {"weights * (grad - average)": "weights * grad"}
"""The gradients are multiplied by the weights and no more. Where the average of a row is 0, it looks right.

Do the results of each row add up to 0? Raise all scores of a row by the same amount: what happens to its weights?

From each gradient the average of its row, counted by weight, should be subtracted first.
"""

others_only = {"weights * (grad - average)": "-weights * average"}
"""The result holds what a score takes away from the row, and not what it adds to its own weight.

Raise one score a little. What happens to its own weight?

The gradient of a score should count its own weight, which rises, and the others, which fall.
"""

one_average_for_the_whole_matrix = {"sum(dim=-1, keepdim=True)": "sum()"}
"""One sum is taken over everything. With one sentence and one row it is right.

Change the gradient of row 0. Should anything in row 1 change?

Each row should have an average of its own.
"""

average_over_the_queries = {"dim=-1": "dim=-2"}
"""The average runs down the columns, over the queries.

Which axis did softmax run along? Do the results of each row add up to 0?

The average should be taken over each row, over the keys.
"""

average_without_its_axis = {"dim=-1, keepdim=True": "dim=-1"}
"""The averages come without their axis and are lined up with the wrong one: an error, or wrong numbers, as in a square
table.

Print the shape of the average beside that of the gradient.

The average of row i should be subtracted from row i: `keepdim=True` keeps the axis.
"""

plain_average = {"(weights * grad).sum": "grad.mean"}
"""The average of a row counts all its gradients alike. Where all weights are equal, it looks right.

Do the results of each row add up to 0?

In the average each gradient should count as much as its weight.
"""

plain_sum = {"(weights * grad).sum": "grad.sum"}
"""The plain sum of the gradients is subtracted. With a single key nothing shows.

Do the results of each row add up to 0?

What is subtracted should be their average, in which each gradient counts as much as its weight.
"""

divided_by_the_number_of_keys = {".sum(": ".mean("}
"""The average is too small by the number of keys. With a single key nothing shows.

Do the results of each row add up to 0? What do the weights of a row add up to?

The weighted sum should stand as it is: it is an average already.
"""

not_multiplied_by_the_weights = {"weights * (grad - average)": "grad - average"}
"""The average is subtracted, and nothing is multiplied by the weights afterwards.

Try a weight of exactly 0. Can its score still matter?

The difference should be multiplied by the weight: little weight, little effect.
"""

average_taken_from_weighted = {"weights * (grad - average)": "weights * grad - average"}
"""The average is subtracted after the gradients have been multiplied by the weights.

Do the results of each row add up to 0?

The average should be subtracted first; then all is multiplied by the weights.
"""

average_added = {"grad - average": "grad + average"}
"""The average is added where a difference is wanted.

Give all gradients of a row the same number. What should come out, and what does?

It should matter how far a gradient lies above or below the average.
"""

sign_turned_round = {"grad - average": "average - grad"}
"""All signs are the other way round.

Raise the score of the key with the largest gradient. Does the loss rise or fall?

It should be the gradient minus the average.
"""

gradient_of_log_softmax = {"(weights * grad).sum": "grad.sum", "weights * (grad - average)": "grad - weights * average"}
"""This is the gradient of log-softmax. The results of each row add up to 0, as those of softmax do.

Work the first row of the example out with a pencil.

The gradient that comes in belongs to the weights, and should be used as such, not as that of their logarithms.
"""

axis_counted_from_the_front = {"dim=-1": "dim=1"}
"""The average is taken along axis 1, counted from the front. For a single table that is right; with a batch, axis 1
counts queries.

Call it with a batch of 2. Do the results of each row add up to 0?

The average should run along the last axis, whatever stands in front.
"""

weights_taken_for_scores = {"average =": "weights = torch.softmax(weights, dim=-1)\naverage ="}
"""Softmax is taken once more, of what are weights already.

What do the rows of `weights` add up to as they come in?

The weights should be used as they come.
"""

softmax_of_the_gradient = {"weights * (grad - average)": "weights * torch.softmax(grad, dim=-1)"}
"""There is a softmax of the gradient in the result, as if the way back were the way forward.

Double the gradient that comes in. What should happen to the result, and what does?

The result should be in proportion to the gradient, with no exponential in it.
"""

roles_swapped = {"weights * (grad - average)": "grad * (weights - average)"}
"""Weights and gradients have changed places.

Double the gradient that comes in. What should happen to the result, and what does?

The average should be subtracted from the gradients, and the difference multiplied by the weights.
"""

products_of_whole_tables = {"weights * (grad - average)": "weights * grad - weights @ grad.transpose(-2, -1) @ weights"}
"""Rows are mixed with each other: a matrix product takes the place of the sums. With a single row it is right.

Change the gradient of row 0. Should anything in row 1 change?

Each row should be worked out on its own.
"""

passed_through = {"weights * (grad - average)": "grad.clone()"}
"""The gradient comes out as it went in, as if softmax did nothing.

Give all gradients of a row the same number. What should come out, and what does?

The gradient should be changed by softmax: its rows add up to 0.
"""

changes_its_input = {"return weights * (grad - average)": "grad -= average\nreturn weights * grad"}
"""The result is right, but after the call `grad` is no longer what it was.

Print `grad` before and after the call.

The call should leave its arguments as they are.
"""

not_returned = {"return weights": "weights"}
