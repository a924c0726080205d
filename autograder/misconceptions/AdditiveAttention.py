"""Mistakes seen in answers to AdditiveAttention."""

query_i_with_key_i_only = {
    "self.Wq(queries).unsqueeze(-2) + self.Wk(keys).unsqueeze(-3))  # (..., n_q, n_k, hidden)": """
        self.Wq(queries) + self.Wk(keys))
    """,
    ".squeeze(-1), dim": ".transpose(-2, -1), dim",
}
"""Query i is added to key i and meets no other key. With equally many of both, one row of weights comes back, else
mostly an error.

Call it with 3 queries and 5 keys. In your `additive_scores`, how does every query meet every key?

Every query should meet every key and have a row of weights.
"""

first_query_only = {"self.Wq(queries)": "self.Wq(queries[..., :1, :])"}
"""Only the first query meets the keys, and one row comes back. With a single query it is right.

Call it with 3 queries and 5 keys, and print both shapes.

Every query should have a row of weights, and an output.
"""

the_other_module = {
    """
        hidden = torch.tanh(self.Wq(queries).unsqueeze(-2) + self.Wk(keys).unsqueeze(-3))  # (..., n_q, n_k, hidden)
    """: """

    """,
    "self.Ws(hidden).squeeze(-1)": "self.Wq(queries) @ self.Wk(keys).transpose(-2, -1)",
}
"""These are the dot products of the last chapter, and `Ws` has no part in them.

Double the weight of `Ws`. Do the weights of attention change?

Query and key should be added and go through `tanh`; `Ws` makes the score of it.
"""

the_other_module_scaled = {
    """
        hidden = torch.tanh(self.Wq(queries).unsqueeze(-2) + self.Wk(keys).unsqueeze(-3))  # (..., n_q, n_k, hidden)
    """: """
        q, k = self.Wq(queries), self.Wk(keys)
    """,
    "self.Ws(hidden).squeeze(-1)": "q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])",
}
"""These are scaled dot products, and `Ws` has no part in them.

Double the weight of `Ws`. Do the weights of attention change?

Query and key should be added and go through `tanh`; `Ws` makes the score of it.
"""

multiplied_instead_of_added = {"unsqueeze(-2) +": "unsqueeze(-2) *"}
"""Projected queries and keys are multiplied, and `tanh` is taken of the products.

Try a query that is projected to zeros. Should the key still matter, and does it?

Projected query and key should be added.
"""

subtracted = {"unsqueeze(-2) +": "unsqueeze(-2) -"}
"""The score is made of the difference of projected query and key.

Give `Wq` and `Wk` the same weights, and try a query and a key that are equal. What comes out?

The score should be made of their sum.
"""

concatenated = {
    "nn.Linear(num_out_features, 1)": "nn.Linear(2 * num_out_features, 1)",
    """
        hidden = torch.tanh(self.Wq(queries).unsqueeze(-2) + self.Wk(keys).unsqueeze(-3))  # (..., n_q, n_k, hidden)
    """: """
        pairs = torch.broadcast_tensors(self.Wq(queries).unsqueeze(-2), self.Wk(keys).unsqueeze(-3))
        hidden = torch.tanh(torch.cat(pairs, dim=-1))
    """,
}
"""Queries and keys stand side by side before `Ws`, which is twice as wide for that.

Print the shapes of the parameters, and compare them with the docstring.

Projected query and key should be added, number by number.
"""

not_projected = {"self.Wq(queries).unsqueeze(-2) + self.Wk(keys)": "queries.unsqueeze(-2) + keys"}
"""Queries and keys are added as they came in, and `Wq` and `Wk` have no part in it. Where both widths agree, every
shape fits.

Double the weights of `Wq`. Does anything change?

Queries should go through `Wq` and keys through `Wk` before they are added.
"""

queries_not_projected = {"self.Wq(queries)": "queries"}
"""The queries are added as they came in, and `Wq` has no part in it. Where both widths agree, every shape fits.

Double the weights of `Wq`. Does anything change?

Queries should go through `Wq` before they are added.
"""

keys_not_projected = {"self.Wk(keys)": "keys"}
"""The keys are added as they came in, and `Wk` has no part in it. Where both widths agree, every shape fits.

Double the weights of `Wk`. Does anything change?

Keys should go through `Wk` before they are added.
"""

one_projection_for_both = {"self.Wk(keys)": "self.Wq(keys)"}
"""The keys go through the layer of the queries, so what a token asks for is also what it offers, and `Wk` never learns.

Double the weights of `Wk`. Does anything change?

Keys should go through `Wk`.
"""

projections_swapped = {
    "self.Wq(queries).unsqueeze(-2) + self.Wk(keys)": "self.Wk(queries).unsqueeze(-2) + self.Wq(keys)"
}
"""The two projections have changed places: `Wq` gets the keys and `Wk` the queries. All shapes are right.

Set `Wq` to zeros. Should the queries still matter, and do they?

`Wq` should get the queries, `Wk` the keys.
"""

values_projected_too = {"attn_matrix @ values": "attn_matrix @ self.Wk(values)"}
"""The values go through `Wk`, which takes what is as wide as the keys. Where their width fits, nothing complains.

Mix the values by hand with the weights that come back.

The values should be mixed as they are, whatever their width.
"""

layer_for_the_values = {
    "self.Ws = nn": "self.Wv = nn.Linear(num_in_features, num_out_features)\nself.Ws = nn",
    "attn_matrix @ values": "attn_matrix @ self.Wv(values)",
}
"""There is one more layer, for the values, as in attention with dot products.

Print the names in `dict(layer.named_parameters())`.

The module should only decide where to look; the values pass as they are.
"""

no_bend = {"torch.tanh(": "("}
"""There is no `tanh`, so a query raises the scores of all keys alike, and every query gets the same weights.

Compare the rows of the weights for two different queries.

The sum of query and key should go through `tanh` before `Ws` weighs it.
"""

bent_before_adding = {
    "torch.tanh(self.Wq(queries).unsqueeze(-2) + self.Wk(keys).unsqueeze(-3))": """
        torch.tanh(self.Wq(queries)).unsqueeze(-2) + torch.tanh(self.Wk(keys)).unsqueeze(-3)
    """
}

bent_after_weighing = {"torch.tanh(": "(", "self.Ws(hidden)": "torch.tanh(self.Ws(hidden))"}
"""`tanh` comes after `Ws`, so all scores lie between -1 and 1. For small sums it is nearly right.

Make the weight of `Ws` a hundred times larger. How sharp do the weights of attention get?

The sums should go through `tanh`, and `Ws` should come after it.
"""

bent_twice = {"self.Ws(hidden)": "torch.tanh(self.Ws(hidden))"}
"""What `Ws` returns goes through `tanh` once more, so all scores lie between -1 and 1. For small scores it is nearly
right.

Make the weight of `Ws` a hundred times larger. How sharp do the weights of attention get?

Only the sums of query and key should go through `tanh`.
"""

sigmoid_for_tanh = {"torch.tanh": "torch.sigmoid"}
"""The nonlinearity is a sigmoid, which lies between 0 and 1. It has the same shape, so training may work all the same.

Work the first row of the example out by hand.

It should be `tanh`, which lies between -1 and 1.
"""

relu_for_tanh = {"torch.tanh": "torch.relu"}

ws_not_used = {"self.Ws(hidden).squeeze(-1)": "hidden.sum(dim=-1)"}
"""The tangents are added up as they are, and `Ws` has no part in the scores, so it never learns.

Double the weight of `Ws`. Do the weights of attention change?

`Ws` should say how much each tangent counts.
"""

scaled = {"self.Ws(hidden).squeeze(-1)": "self.Ws(hidden).squeeze(-1) / math.sqrt(hidden.shape[-1])"}
"""The scores are divided by a square root, as dot products are, so the weights come out too flat.

How large can `tanh` get, and does it grow with the width?

Nothing should be scaled here.
"""

axis_of_one_left = {"self.Ws(hidden).squeeze(-1), dim=-1": "self.Ws(hidden), dim=-2"}
"""The axis of length 1 that `Ws` leaves is still there when the values are mixed.

Print the shape of the weights before they meet the values.

The weights should have the shape `(..., n_q, n_k)`.
"""

softmax_over_the_axis_of_one = {"self.Ws(hidden).squeeze(-1), dim=-1)": "self.Ws(hidden), dim=-1).squeeze(-1)"}
"""Softmax runs over the axis of length 1 that `Ws` leaves behind, so every weight is 1.

Print the weights. What is the softmax of a single number?

Each row of weights should sum to 1 over the keys.
"""

every_axis_of_one_squeezed = {"squeeze(-1)": "squeeze()"}
"""Every axis of length 1 is taken away, also that of a single query, a single key or a batch of one, as `squeeze()`
does. With more of each it is right.

Call it with one query and five keys, and print both shapes.

Only the axis of length 1 that `Ws` leaves should go.
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

rows_belong_to_keys = {"unsqueeze(-2)": "unsqueeze(-3)", "unsqueeze(-3)": "unsqueeze(-2)"}
"""Rows of the weights belong to keys, columns to queries. With as many queries as keys the shape is right.

Call it with 2 queries and 5 keys, and print the shape of the weights.

Rows should belong to queries, columns to keys.
"""

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
"""One softmax runs over the whole table of a sentence. With a single query it is right.

Add up one row of the weights, then the whole table.

Each query should have weights of its own that sum to 1.
"""

over_the_queries = {"dim=-1": "dim=-2"}
softmax_from_the_front = {"dim=-1": "dim=1"}

softmax_as_axis_2 = {"dim=-1": "dim=2"}
"""Softmax runs along axis 2, counted from the front. With exactly one batch axis that is right, with none or two it is
not.

Call it with a single sentence.

Softmax should run along the last axis, whatever stands in front.
"""

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
"""The scores are divided by their sum, which may be negative or nearly 0. The rows sum to 1, which looks right.

Try a row in which some scores are negative.

The weights should be the softmax of the scores.
"""

argmax = {
    "attn_matrix = torch.softmax(self.Ws(hidden).squeeze(-1), dim=-1)": """
        scores = self.Ws(hidden).squeeze(-1)
        attn_matrix = nn.functional.one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(scores.dtype)
    """
}

no_softmax = {"torch.softmax(self.Ws(hidden).squeeze(-1), dim=-1)": "self.Ws(hidden).squeeze(-1)"}
"""The scores themselves mix the values and come back as weights. Their rows do not sum to 1.

Add up the rows of the weights that come back.

Softmax should make weights of the scores before anything is mixed.
"""

keys_mixed_instead_of_values = {"attn_matrix @ values": "attn_matrix @ keys"}

queries_added_to_the_output = {"attn_matrix @ values": "attn_matrix @ values + queries"}
"""The output has the queries added to the mixture, as a residual connection has. The weights are right.

Mix the values by hand with the weights that come back. What is left over?

The output should be the mixture alone.
"""

score_of_many_numbers = {
    "nn.Linear(num_out_features, 1)": "nn.Linear(num_out_features, num_out_features)",
    "squeeze(-1)": "sum(dim=-1)",
}
"""`Ws` returns as many numbers as it takes, and they are added up afterwards.

Print the shape of `layer.Ws.weight`, and compare it with the docstring.

`Ws` should return one number, the score.
"""

score_weights_as_a_vector = {
    "nn.Linear(num_out_features, 1)": "nn.Parameter(torch.randn(num_out_features))",
    "self.Ws(hidden).squeeze(-1)": "hidden @ self.Ws",
}
"""`Ws` is a vector of weights, as in `additive_scores`.

Print `type(layer.Ws)`, and compare it with the docstring.

`Ws` should be an `nn.Linear` to one number.
"""

score_weights_not_registered = {
    "nn.Linear(num_out_features, 1)": "torch.randn(num_out_features)",
    "self.Ws(hidden).squeeze(-1)": "hidden @ self.Ws",
}
"""The weights of the score are a plain tensor: the module does not list them, and nothing will train them.

Print the names in `dict(layer.named_parameters())`.

`Ws` should be an `nn.Linear` to one number.
"""

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
"""The layers are made anew in every call. Each call by itself looks right.

Call the layer twice with the same tokens. What would be left of a step of training at the next call?

The layers should be made once, when the module is made, and kept.
"""

super_forgotten = {"super().__init__()": ""}
"""Making the module raises an error, because `nn.Module` has not been set up when the first layer is stored in it.

Read the last line of the error: which call does it say comes too late, or never?

`super().__init__()` should be the first line of `__init__`.
"""

layers_frozen = {
    "self.Ws = nn.Linear(num_out_features, 1)": """
        self.Ws = nn.Linear(num_out_features, 1)
        self.requires_grad_(False)
    """
}
"""The layers are there, but they ask for no gradient, so they never learn.

Print `requires_grad` of each parameter.

Every layer should be trainable, as `nn.Linear` is by default.
"""

widths_swapped = {
    "self.Wq = nn.Linear(num_in_features, num_out_features)": """
        self.Wq = nn.Linear(num_out_features, num_in_features)
    """,
    "self.Wk = nn.Linear(num_in_features, num_out_features)": """
        self.Wk = nn.Linear(num_out_features, num_in_features)
    """,
}
"""The two widths of `Wq` and `Wk` have changed places. Where both are equal, nothing shows.

Print `AdditiveAttention(3, 4).Wq`.

`Wq` and `Wk` should lead from `num_in_features` to `num_out_features`.
"""

widths_written_as_numbers = {
    "self.Wq = nn.Linear(num_in_features, num_out_features)": "self.Wq = nn.Linear(300, 256)",
    "self.Wk = nn.Linear(num_in_features, num_out_features)": "self.Wk = nn.Linear(300, 256)",
    "nn.Linear(num_out_features, 1)": "nn.Linear(256, 1)",
}
"""The layers are always 300 and 256 wide, whatever is asked for. With the default widths that is right.

Print `AdditiveAttention(3, 4).Wq`.

The widths should be those that `__init__` is given.
"""

cut_from_the_graph = {
    "return attn_matrix @ values, attn_matrix": "return (attn_matrix @ values).detach(), attn_matrix.detach()"
}
"""The numbers are right, but no gradient reaches the layers, as after `.data` or `detach` or under `no_grad`.

Print `requires_grad` of the output.

Gradients should flow back to the layers and to the inputs.
"""

weights_detached = {"dim=-1)": "dim=-1).detach()"}
"""The numbers are right, but no gradient passes through the attention weights, so no layer ever learns.

Let the values ask for gradients, call `backward()` on the sum of the output's squares, and print
`layer.Wq.weight.grad`.

Gradients should flow through the weights that mix the values. A copy for a picture may be detached.
"""

weights_first = {"attn_matrix @ values, attn_matrix": "attn_matrix, attn_matrix @ values"}
weights_not_returned = {"attn_matrix @ values, attn_matrix": "attn_matrix @ values"}
scores_instead_of_weights = {"attn_matrix @ values, attn_matrix": "attn_matrix @ values, self.Ws(hidden).squeeze(-1)"}
not_returned = {"return attn_matrix @ values, attn_matrix": "attn_matrix @ values"}

names_without_self = {"self.Wq =": "Wq =", "self.Wk =": "Wk =", "self.Ws =": "Ws ="}
