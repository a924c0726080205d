"""Mistakes seen in answers to additive_scores."""

query_i_with_key_i_only = {"queries.unsqueeze(-2) + keys.unsqueeze(-3)": "queries + keys"}
"""Query i is added to key i and meets no other key. With equally many of both, a row comes back and not a table, else
mostly an error.

How large is the table of scores for 3 queries and 5 keys, and how large is your sum?

Every query should meet every key.
"""

the_same_row_for_all = {
    "return torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": """
        row = torch.tanh(queries + keys) @ ws
        return row.unsqueeze(-2).expand(*row.shape, row.shape[-1]).clone()
    """
}
"""Query i meets key i only, and that one row of scores is repeated for every query. With as many queries as keys the
shape is right.

Change query 0. Which of its scores should change, and which do?

Each query should have a row of its own, in which it meets every key.
"""

first_query_only = {"queries.unsqueeze(-2) + keys.unsqueeze(-3)": "queries[..., :1, :] + keys"}
"""Only the first query meets the keys, and one row comes back. With a single query its numbers are right.

Call it with 3 queries and 5 keys, and print the shape.

Every query should have a row.
"""

as_many_keys_as_queries = {
    "return torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": """
        n = queries.shape[-2]
        return torch.stack([torch.tanh(queries + keys[..., j : j + 1, :]) @ ws for j in range(n)], dim=-1)
    """
}
"""Only as many keys are looked at as there are queries. Where their numbers agree, it is right.

Call it with 2 queries and 5 keys, and print the shape.

Every key should have a column, whatever the number of queries.
"""

multiplied_instead_of_added = {"unsqueeze(-2) +": "unsqueeze(-2) *"}
"""Queries and keys are multiplied, as in a dot product, and `tanh` is taken of the products.

Try a query of zeros. Should the key still matter, and does it?

Query and key should be added, then go through `tanh`.
"""

dot_products = {"torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": "queries @ keys.transpose(-2, -1)"}
"""These are dot products, the scores of the last chapter.

Double `ws`. What should happen to the scores, and what does?

Query and key should be added, go through `tanh`, and be summed with the weights `ws`.
"""

weighted_dot_products = {
    "torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": "(queries * ws) @ keys.transpose(-2, -1)"
}
"""These are dot products in which `ws` weighs each place. Nothing is added, and nothing goes through `tanh`.

Try a query of zeros. Should the key still matter, and does it?

Query and key should be added, go through `tanh`, and be summed with the weights `ws`.
"""

subtracted = {"unsqueeze(-2) +": "unsqueeze(-2) -"}
"""The score is made of the difference of query and key. With keys of 0 nothing shows.

Try a query and a key that are equal. What comes out?

The score should be made of their sum.
"""

no_bend = {"torch.tanh(": "("}
"""There is no `tanh`, so a query raises the scores of all its keys by the same amount, and softmax would give every
query the same weights.

Print the differences between the scores of a row, for two different queries.

The sum of query and key should go through `tanh` before it is weighed.
"""

bent_after_weighing = {
    "torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": """
        torch.tanh((queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws)
    """
}
"""`tanh` comes after the weighted sum, so all scores lie between -1 and 1. For small sums it is nearly right.

Try `ws` with numbers near 10. How large may a score get?

Each sum should go through `tanh` first; the weighted sum comes after it.
"""

bent_before_adding = {
    "torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3))": """
        (torch.tanh(queries).unsqueeze(-2) + torch.tanh(keys).unsqueeze(-3))
    """
}

weighed_before_the_bend = {
    "torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": """
        torch.tanh((queries.unsqueeze(-2) + keys.unsqueeze(-3)) * ws).sum(dim=-1)
    """
}
"""The sums are multiplied by `ws` before `tanh`, and after it nothing weighs them. Where all of `ws` is 1, it is right.

Double `ws`. Should the scores double?

`ws` should say how much each tangent counts, after `tanh`.
"""

bent_twice = {
    "torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": """
        torch.tanh(torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws)
    """
}
"""The weighted sum goes through `tanh` once more, so all scores lie between -1 and 1. For small scores it is nearly
right.

Try `ws` with numbers near 10. How large may a score get?

Only the sums of query and key should go through `tanh`.
"""

sigmoid_for_tanh = {"torch.tanh": "torch.sigmoid"}
"""The nonlinearity is a sigmoid, which lies between 0 and 1. It has the same shape, so the order of the keys may be
right.

Try a query and a key of zeros. What should the score be?

It should be `tanh`, which is 0 at 0 and lies between -1 and 1.
"""

relu_for_tanh = {"torch.tanh": "torch.relu"}

ws_not_used = {" @ ws": ".sum(dim=-1)"}
"""All tangents count alike, and `ws` has no part in the score. With `ws` all ones the result is the same, so a first
try may look right.

Double one number of `ws`. What changes?

Each tangent should count as much as its number in `ws` says.
"""

mean_instead_of_sum = {
    "return torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": """
        return (torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) * ws).mean(dim=-1)
    """
}
"""The weighted tangents are averaged, so the scores are too small by the factor d. Their order is right.

Divide the scores of the example by yours. Which number comes out?

The weighted tangents should be added up.
"""

not_added_up = {"@ ws": "* ws"}
"""The weighted tangents are not added up: a pair has a whole row of numbers.

Print the shape of your result, and count the axes that the docstring names.

The score of a pair should be one number.
"""

scaled = {"@ ws": "@ ws / math.sqrt(queries.shape[-1])"}
"""The scores are divided by a square root, as those of dot products are. Their order is right.

How large can `tanh` get, and so how large a score, if `ws` is all ones?

Nothing should be scaled here.
"""

weights_instead_of_scores = {
    "torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": """
        torch.softmax(torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws, dim=-1)
    """
}
"""Softmax has run already: each row sums to 1.

Add up a row of your result. Do scores sum to anything in particular?

Here the scores themselves should come back.
"""

rows_belong_to_keys = {"unsqueeze(-2)": "unsqueeze(-3)", "unsqueeze(-3)": "unsqueeze(-2)"}
"""Rows belong to keys and columns to queries. With as many queries as keys the shape is right.

Call it with 2 queries and 5 keys, and print the shape.

Row i should hold the scores of query i, with a column for each key.
"""

axis_of_one_left = {"@ ws": "@ ws.unsqueeze(-1)"}
"""An axis of length 1 is left at the end. The numbers are right.

Print the shape of your result beside that of the example.

The shape should be `(..., n_q, n_k)`.
"""

every_axis_of_one_squeezed = {
    "torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": """
        (torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws.unsqueeze(-1)).squeeze()
    """
}
"""Every axis of length 1 is taken away, also that of a single query, a single key or a batch of one, as `squeeze()`
does. With more of each it is right.

Call it with one query and five keys, and print the shape.

Only the axis that `ws` has added up should go.
"""

axes_counted_from_the_front = {"unsqueeze(-2)": "unsqueeze(1)", "unsqueeze(-3)": "unsqueeze(0)"}
"""The new axes are counted from the front, as in `unsqueeze(1)` and `unsqueeze(0)`. Without a batch that is right; on
a batch they land elsewhere.

Call it with queries of shape (2, 3, 4), and print the shape of each part.

It should work whatever number of batch axes stands in front.
"""

one_batch_axis_expected = {"unsqueeze(-2)": "unsqueeze(2)", "unsqueeze(-3)": "unsqueeze(1)"}
"""The new axes are counted from the front, as in `unsqueeze(2)` and `unsqueeze(1)`. With exactly one batch axis that is
right, with none or two it is not.

Call it with a single sentence, of shape (3, 4).

It should work whatever number of batch axes stands in front.
"""

first_sentence_only = {"return": "while queries.dim() > 2:\n    queries, keys = queries[0], keys[0]\nreturn"}
"""Of a batch only the first sentence is scored. For one sentence it is right.

Print the shape for a batch of 2.

Every sentence of the batch should have its table.
"""

tanh_overflows = {
    "return torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": """
        sums = queries.unsqueeze(-2) + keys.unsqueeze(-3)
        return (sums.exp() - (-sums).exp()) / (sums.exp() + (-sums).exp()) @ ws
    """
}
"""For large sums NaN comes back: infinity is divided by infinity, as when `tanh` is put together from exponentials. For
sums near 0 it is right.

Try a query of 1000. What should `tanh` of it be?

Sums of any size should give a score; `torch.tanh` sees to it.
"""

float32_only = {" @ ws": ".float() @ ws"}

cut_from_the_graph = {
    "torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": """
        (torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws).detach()
    """
}
"""The numbers are right, but no gradient gets past them, as after `.item()`, `detach`, `no_grad` or `torch.tensor`.

Print `requires_grad` of the result when `ws` asks for gradients. Which step of yours loses where its numbers came from?

Gradients should flow back to queries, keys and `ws`.
"""

keys_cut_from_the_graph = {"keys.unsqueeze": "keys.detach().unsqueeze"}
"""The numbers are right, but no gradient reaches one of the parts, so whatever made it could not learn.

Let queries, keys and `ws` ask for gradients, call `backward()`, and print the three gradients.

Gradients should flow back to queries, keys and `ws`.
"""

changes_its_input = {"queries.unsqueeze(-2)": "queries.unsqueeze_(-2)", "keys.unsqueeze(-3)": "keys.unsqueeze_(-3)"}
"""The scores are right, but after the call the queries or keys are no longer what they were, as after `unsqueeze_`.

Print both, and their shapes, before and after the call.

The call should leave its arguments as they are.
"""

not_returned = {"return torch": "torch"}
