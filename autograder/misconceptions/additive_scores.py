"""Mistakes seen in answers to additive_scores."""

query_i_with_key_i_only = {"queries.unsqueeze(-2) + keys.unsqueeze(-3)": "queries + keys"}
"""Query i is added to key i and meets no other key, and where the numbers differ there is nothing to add.

Every query should meet every key. How large is the table of scores, and how large is your sum?
"""

the_same_row_for_all = {
    "return torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": """
        row = torch.tanh(queries + keys) @ ws
        return row.unsqueeze(-2).expand(*row.shape, row.shape[-1]).clone()
    """
}
"""Query i is added to key i only, and that one row of scores is repeated: each query has a row of its own."""

first_query_only = {"queries.unsqueeze(-2) + keys.unsqueeze(-3)": "queries[..., :1, :] + keys"}
"""Only the first query is compared with the keys, and comes back as one row: every query needs a row."""

as_many_keys_as_queries = {
    "return torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": """
        n = queries.shape[-2]
        return torch.stack([torch.tanh(queries + keys[..., j : j + 1, :]) @ ws for j in range(n)], dim=-1)
    """
}
"""As many keys are looked at as there are queries: both lengths have to be read, from their own shapes."""

multiplied_instead_of_added = {"unsqueeze(-2) +": "unsqueeze(-2) *"}
"""Queries and keys are multiplied, as for a dot product, and then bent: here they are added."""

dot_products = {"torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": "queries @ keys.transpose(-2, -1)"}
"""These are dot products, the scores of the last chapter: here queries and keys are added, bent and weighed."""

weighted_dot_products = {
    "torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": "(queries * ws) @ keys.transpose(-2, -1)"
}
"""These are dot products weighed by `ws`: here queries and keys are added, not multiplied, and then bent."""

subtracted = {"unsqueeze(-2) +": "unsqueeze(-2) -"}
"""The keys are subtracted from the queries: the score is made of their sum."""

no_bend = {"torch.tanh(": "("}
"""The sum is not bent: without `tanh`, every query raises all its scores by the same amount.

Softmax sees only differences, so all queries would get the same weights.
"""

bent_after_weighing = {
    "torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": """
        torch.tanh((queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws)
    """
}
"""`tanh` comes after the weighted sum, and squeezes all scores between -1 and 1: bend first, then weigh."""

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
"""The sums are weighed before they are bent: `ws` says how much each *bent* sum counts."""

bent_twice = {
    "torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": """
        torch.tanh(torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws)
    """
}
"""The weighted sum of bent numbers is bent once more: a score may be larger than 1."""

sigmoid_for_tanh = {"torch.tanh": "torch.sigmoid"}
"""The bend is a sigmoid, which lies between 0 and 1: `tanh` is 0 at 0 and lies between -1 and 1."""

relu_for_tanh = {"torch.tanh": "torch.relu"}

ws_not_used = {" @ ws": ".sum(dim=-1)"}
"""The bent sums are only added up: each of them counts as much as `ws` says."""

mean_instead_of_sum = {
    "return torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": """
        return (torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) * ws).mean(dim=-1)
    """
}
"""The weighted numbers are averaged: add them up, how much each counts is said by `ws` alone."""

not_added_up = {"@ ws": "* ws"}
"""The weighted numbers are not added up, so that a pair has a whole row of them: a score is one number."""

scaled = {"@ ws": "@ ws / math.sqrt(queries.shape[-1])"}
"""The scores are divided by a square root, as those of dot products are: here nothing is scaled.

How large can a number get that `tanh` has bent?
"""

weights_instead_of_scores = {
    "torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": """
        torch.softmax(torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws, dim=-1)
    """
}
"""Softmax has run already, so that each row sums to 1: here the scores themselves are asked for."""

rows_belong_to_keys = {"unsqueeze(-2)": "unsqueeze(-3)", "unsqueeze(-3)": "unsqueeze(-2)"}
"""The table lies on its side: row i should hold the scores of query i, a column for each key."""

axis_of_one_left = {"@ ws": "@ ws.unsqueeze(-1)"}
"""An axis of length 1 is left at the end: take it away, or multiply by `ws` as a vector."""

every_axis_of_one_squeezed = {
    "torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": """
        (torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws.unsqueeze(-1)).squeeze()
    """
}
"""`squeeze()` takes away every axis of length 1, those of a single query, key or batch too: say which you mean."""

axes_counted_from_the_front = {"unsqueeze(-2)": "unsqueeze(1)", "unsqueeze(-3)": "unsqueeze(0)"}
"""`unsqueeze(1)` and `unsqueeze(0)` are right for one sentence; on a batch they land elsewhere: count from the end."""

one_batch_axis_expected = {"unsqueeze(-2)": "unsqueeze(2)", "unsqueeze(-3)": "unsqueeze(1)"}
"""`unsqueeze(2)` and `unsqueeze(1)` are right for exactly one batch axis, not for none or two: count from the end."""

first_sentence_only = {"return": "while queries.dim() > 2:\n    queries, keys = queries[0], keys[0]\nreturn"}
"""Only the first sentence of the batch is scored, and the others are lost."""

tanh_overflows = {
    "return torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": """
        sums = queries.unsqueeze(-2) + keys.unsqueeze(-3)
        return (sums.exp() - (-sums).exp()) / (sums.exp() + (-sums).exp()) @ ws
    """
}
"""`tanh` is put together from exponentials, and for large sums infinity is divided by infinity: use torch's."""

float32_only = {" @ ws": ".float() @ ws"}

cut_from_the_graph = {
    "torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws": """
        (torch.tanh(queries.unsqueeze(-2) + keys.unsqueeze(-3)) @ ws).detach()
    """
}
"""The numbers are right, but no gradient gets past: `.item()`, `detach`, `no_grad` or `torch.tensor` cuts it off.

Where do the numbers leave torch, and come back as new ones?
"""

keys_cut_from_the_graph = {"keys.unsqueeze": "keys.detach().unsqueeze"}
"""A part is detached before it is added, so that no gradient reaches how it was made."""

changes_its_input = {"queries.unsqueeze(-2)": "queries.unsqueeze_(-2)", "keys.unsqueeze(-3)": "keys.unsqueeze_(-3)"}
"""`unsqueeze_` changes the shape of what was passed in, for whoever uses it next:
without the `_` at the end it makes a new tensor.
"""

not_returned = {"return torch": "torch"}
