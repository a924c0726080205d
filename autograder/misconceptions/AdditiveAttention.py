"""Mistakes seen in answers to AdditiveAttention."""

query_i_with_key_i_only = {
    "self.Wq(queries).unsqueeze(-2) + self.Wk(keys).unsqueeze(-3))  # (..., n_q, n_k, hidden)": """
        self.Wq(queries) + self.Wk(keys))
    """,
    ".squeeze(-1), dim": ".transpose(-2, -1), dim",
}
"""Query i is added to key i and meets no other key: there is one row of weights where each query needs its own.

What happens for three queries and five keys? Your `additive_scores` knows how every query meets every key.
"""

first_query_only = {"self.Wq(queries)": "self.Wq(queries[..., :1, :])"}
"""Only the first query is compared with the keys: every query needs a row of weights, and an output."""

the_other_module = {
    """
        hidden = torch.tanh(self.Wq(queries).unsqueeze(-2) + self.Wk(keys).unsqueeze(-3))  # (..., n_q, n_k, hidden)
    """: """

    """,
    "self.Ws(hidden).squeeze(-1)": "self.Wq(queries) @ self.Wk(keys).transpose(-2, -1)",
}
"""These are the dot products of the last chapter, and `Ws` has no part in them: add, bend, and let `Ws` weigh."""

the_other_module_scaled = {
    """
        hidden = torch.tanh(self.Wq(queries).unsqueeze(-2) + self.Wk(keys).unsqueeze(-3))  # (..., n_q, n_k, hidden)
    """: """
        q, k = self.Wq(queries), self.Wk(keys)
    """,
    "self.Ws(hidden).squeeze(-1)": "q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])",
}
"""These are scaled dot products, and `Ws` has no part in them: add, bend, and let `Ws` weigh."""

multiplied_instead_of_added = {"unsqueeze(-2) +": "unsqueeze(-2) *"}
"""Projected queries and keys are multiplied before they are bent: here they are added."""

subtracted = {"unsqueeze(-2) +": "unsqueeze(-2) -"}
"""The projected keys are subtracted from the queries: the score is made of their sum."""

concatenated = {
    "nn.Linear(num_out_features, 1)": "nn.Linear(2 * num_out_features, 1)",
    """
        hidden = torch.tanh(self.Wq(queries).unsqueeze(-2) + self.Wk(keys).unsqueeze(-3))  # (..., n_q, n_k, hidden)
    """: """
        pairs = torch.broadcast_tensors(self.Wq(queries).unsqueeze(-2), self.Wk(keys).unsqueeze(-3))
        hidden = torch.tanh(torch.cat(pairs, dim=-1))
    """,
}
"""Queries and keys are put side by side, so that `Ws` is twice as wide: here they are added."""

not_projected = {"self.Wq(queries).unsqueeze(-2) + self.Wk(keys)": "queries.unsqueeze(-2) + keys"}
"""Queries and keys are added as they came in, and `Wq` and `Wk` have no part in it: project them first.

How many numbers does `Ws` expect, and how many has a token?
"""

queries_not_projected = {"self.Wq(queries)": "queries"}
"""Only the keys are projected: queries go through `Wq` before they are added."""

keys_not_projected = {"self.Wk(keys)": "keys"}
"""Only the queries are projected: keys go through `Wk` before they are added."""

one_projection_for_both = {"self.Wk(keys)": "self.Wq(keys)"}
"""Keys go through the layer of the queries, so that what a token asks for is what it offers: they have `Wk`."""

projections_swapped = {
    "self.Wq(queries).unsqueeze(-2) + self.Wk(keys)": "self.Wk(queries).unsqueeze(-2) + self.Wq(keys)"
}
"""The two projections changed places: `Wq` is for the queries, `Wk` for the keys."""

values_projected_too = {"attn_matrix @ values": "attn_matrix @ self.Wk(values)"}
"""The values are projected by `Wk`: here they pass as they are, whatever their width."""

layer_for_the_values = {
    "self.Ws = nn": "self.Wv = nn.Linear(num_in_features, num_out_features)\nself.Ws = nn",
    "attn_matrix @ values": "attn_matrix @ self.Wv(values)",
}
"""There is a layer `Wv`, but additive attention only decides where to look: the values pass as they are."""

no_bend = {"torch.tanh(": "("}
"""The sums are not bent: without `tanh`, a query raises the scores of all keys alike, and softmax cannot see it."""

bent_before_adding = {
    "torch.tanh(self.Wq(queries).unsqueeze(-2) + self.Wk(keys).unsqueeze(-3))": """
        torch.tanh(self.Wq(queries)).unsqueeze(-2) + torch.tanh(self.Wk(keys)).unsqueeze(-3)
    """
}

bent_after_weighing = {"torch.tanh(": "(", "self.Ws(hidden)": "torch.tanh(self.Ws(hidden))"}
"""`tanh` comes after `Ws`, and squeezes all scores between -1 and 1: bend the sums, then weigh them."""

bent_twice = {"self.Ws(hidden)": "torch.tanh(self.Ws(hidden))"}
"""What `Ws` returns is bent once more, which keeps all scores between -1 and 1: only the sums are bent."""

sigmoid_for_tanh = {"torch.tanh": "torch.sigmoid"}
"""The bend is a sigmoid, which lies between 0 and 1: `tanh` lies between -1 and 1."""

relu_for_tanh = {"torch.tanh": "torch.relu"}

ws_not_used = {"self.Ws(hidden).squeeze(-1)": "hidden.sum(dim=-1)"}
"""The bent sums are added up as they are, and `Ws` has no part in the scores: it says how much each sum counts."""

scaled = {"self.Ws(hidden).squeeze(-1)": "self.Ws(hidden).squeeze(-1) / math.sqrt(hidden.shape[-1])"}
"""The scores are divided by a square root, as dot products are: here nothing is scaled.

How large can a number get that `tanh` has bent?
"""

axis_of_one_left = {"self.Ws(hidden).squeeze(-1), dim=-1": "self.Ws(hidden), dim=-2"}
"""The axis of length 1 that `Ws` leaves is still there when the values are mixed: take the last axis away."""

softmax_over_the_axis_of_one = {"self.Ws(hidden).squeeze(-1), dim=-1)": "self.Ws(hidden), dim=-1).squeeze(-1)"}
"""Softmax runs over the axis of length 1 that `Ws` leaves behind, so that every weight is 1: take it away first."""

every_axis_of_one_squeezed = {"squeeze(-1)": "squeeze()"}
"""`squeeze()` takes away every axis of length 1, the batch of one and the single query too: say which you mean."""

axes_counted_from_the_front = {"unsqueeze(-2)": "unsqueeze(1)", "unsqueeze(-3)": "unsqueeze(0)"}
"""`unsqueeze(1)` and `unsqueeze(0)` are right for one sentence; on a batch they land elsewhere.

Counted from the end, an axis stays where it is whatever stands in front.
"""

one_batch_axis_expected = {"unsqueeze(-2)": "unsqueeze(2)", "unsqueeze(-3)": "unsqueeze(1)"}
"""`unsqueeze(2)` and `unsqueeze(1)` are right for exactly one batch axis, not for none or two.

Counted from the end, an axis stays where it is whatever stands in front.
"""

rows_belong_to_keys = {"unsqueeze(-2)": "unsqueeze(-3)", "unsqueeze(-3)": "unsqueeze(-2)"}
"""The table lies on its side: rows of the weights belong to queries, columns to keys."""

one_sum_for_everything = {
    "attn_matrix = torch.softmax(self.Ws(hidden).squeeze(-1), dim=-1)": """
        scores = self.Ws(hidden).squeeze(-1)
        attn_matrix = torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)
    """
}

one_sum_for_each_sentence = {
    "attn_matrix = torch.softmax(self.Ws(hidden).squeeze(-1), dim=-1)": """
        scores = self.Ws(hidden).squeeze(-1)
        attn_matrix = torch.softmax(scores.flatten(-2), dim=-1).reshape(scores.shape)
    """
}
"""One softmax runs over the whole table of a sentence: each query needs weights of its own that sum to 1."""

over_the_queries = {"dim=-1": "dim=-2"}
softmax_from_the_front = {"dim=-1": "dim=1"}

softmax_as_axis_2 = {"dim=-1": "dim=2"}
"""`softmax(dim=2)` is right for exactly one batch axis, not for none or two: use the last axis."""

no_maximum_subtracted = {
    "attn_matrix = torch.softmax(self.Ws(hidden).squeeze(-1), dim=-1)": """
        exponentials = self.Ws(hidden).squeeze(-1).exp()
        attn_matrix = exponentials / exponentials.sum(dim=-1, keepdim=True)
    """
}
one_maximum_for_everything = {
    "attn_matrix = torch.softmax(self.Ws(hidden).squeeze(-1), dim=-1)": """
        scores = self.Ws(hidden).squeeze(-1)
        exponentials = (scores - scores.max()).exp()
        attn_matrix = exponentials / exponentials.sum(dim=-1, keepdim=True)
    """
}

divided_by_the_sum = {
    "attn_matrix = torch.softmax(self.Ws(hidden).squeeze(-1), dim=-1)": """
        scores = self.Ws(hidden).squeeze(-1)
        attn_matrix = scores / scores.sum(dim=-1, keepdim=True)
    """
}
"""The scores are divided by their sum, which may be negative or nearly 0: softmax takes exponentials first."""

argmax = {
    "attn_matrix = torch.softmax(self.Ws(hidden).squeeze(-1), dim=-1)": """
        scores = self.Ws(hidden).squeeze(-1)
        attn_matrix = nn.functional.one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(scores.dtype)
    """
}

no_softmax = {"torch.softmax(self.Ws(hidden).squeeze(-1), dim=-1)": "self.Ws(hidden).squeeze(-1)"}
"""The values are mixed by the scores themselves: softmax makes weights of them first, which sum to 1."""

keys_mixed_instead_of_values = {"attn_matrix @ values": "attn_matrix @ keys"}

queries_added_to_the_output = {"attn_matrix @ values": "attn_matrix @ values + queries"}
"""The queries are added to the output, as a residual connection would: return the mixture alone."""

score_of_many_numbers = {
    "nn.Linear(num_out_features, 1)": "nn.Linear(num_out_features, num_out_features)",
    "squeeze(-1)": "sum(dim=-1)",
}
"""`Ws` returns as many numbers as it takes, which are then added up: it should return one number, the score."""

score_weights_as_a_vector = {
    "nn.Linear(num_out_features, 1)": "nn.Parameter(torch.randn(num_out_features))",
    "self.Ws(hidden).squeeze(-1)": "hidden @ self.Ws",
}
"""`Ws` is a vector of weights, as in `additive_scores`: here it is an `nn.Linear` to one number, with a bias."""

score_weights_not_registered = {
    "nn.Linear(num_out_features, 1)": "torch.randn(num_out_features)",
    "self.Ws(hidden).squeeze(-1)": "hidden @ self.Ws",
}
"""The weights of the score are a plain tensor, which `nn.Module` does not find: make `Ws` an `nn.Linear`."""

made_in_forward = {
    """
        self.Wq = nn.Linear(num_in_features, num_out_features)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Ws = nn.Linear(num_out_features, 1)
    """: "self.sizes = num_in_features, num_out_features",
    "hidden = torch.tanh(self.Wq(queries).unsqueeze(-2) + self.Wk(keys)": """
        Wq, Wk, Ws = nn.Linear(*self.sizes), nn.Linear(*self.sizes), nn.Linear(self.sizes[1], 1)
        hidden = torch.tanh(Wq(queries).unsqueeze(-2) + Wk(keys)
    """,
    "self.Ws(hidden)": "Ws(hidden)",
}
"""The layers are made anew in every call, so that nothing that is learned stays: make them in `__init__`."""

super_forgotten = {"super().__init__()": ""}
"""`super().__init__()` was not called, or only after the layers were made: it has to come first in `__init__`."""

layers_frozen = {
    "self.Ws = nn.Linear(num_out_features, 1)": """
        self.Ws = nn.Linear(num_out_features, 1)
        self.requires_grad_(False)
    """
}
"""The layers are there but do not learn: `requires_grad` was turned off."""

widths_swapped = {
    "self.Wq = nn.Linear(num_in_features, num_out_features)": """
        self.Wq = nn.Linear(num_out_features, num_in_features)
    """,
    "self.Wk = nn.Linear(num_in_features, num_out_features)": """
        self.Wk = nn.Linear(num_out_features, num_in_features)
    """,
}
"""The widths of `Wq` and `Wk` are the wrong way round: first how many numbers come in, then how many go out."""

widths_written_as_numbers = {
    "self.Wq = nn.Linear(num_in_features, num_out_features)": "self.Wq = nn.Linear(300, 256)",
    "self.Wk = nn.Linear(num_in_features, num_out_features)": "self.Wk = nn.Linear(300, 256)",
    "nn.Linear(num_out_features, 1)": "nn.Linear(256, 1)",
}
"""The widths are written into the code: take those that `__init__` is given."""

cut_from_the_graph = {
    "return attn_matrix @ values, attn_matrix": "return (attn_matrix @ values).detach(), attn_matrix.detach()"
}
"""The numbers are right, but no gradient reaches the layers: `.data`, `detach` or `no_grad` cuts the graph."""

weights_detached = {"dim=-1)": "dim=-1).detach()"}
"""The attention weights are detached before they mix the values, so that no layer ever learns.

A copy for a picture may be detached, but not the weights that the output is made of.
"""

weights_first = {"attn_matrix @ values, attn_matrix": "attn_matrix, attn_matrix @ values"}
weights_not_returned = {"attn_matrix @ values, attn_matrix": "attn_matrix @ values"}
scores_instead_of_weights = {"attn_matrix @ values, attn_matrix": "attn_matrix @ values, self.Ws(hidden).squeeze(-1)"}
not_returned = {"return attn_matrix @ values, attn_matrix": "attn_matrix @ values"}
