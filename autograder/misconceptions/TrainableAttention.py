"""Mistakes seen in answers to TrainableAttention."""

one_layer_for_all = {
    "self.Wk = nn.Linear(num_in_features, num_out_features)": "self.Wk = self.Wq",
    "self.Wv = nn.Linear(num_in_features, num_out_features)": "self.Wv = self.Wq",
}
"""One and the same layer serves as `Wq`, `Wk` and `Wv`, so the three can never learn different things.

How many parameters does `list(layer.parameters())` have?

There should be three layers.
"""

in_a_python_list = {
    """
        self.Wq = nn.Linear(num_in_features, num_out_features)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Wv = nn.Linear(num_in_features, num_out_features)
    """: "self.layers = [nn.Linear(num_in_features, num_out_features) for _ in range(3)]",
    "return self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))": """
        Wq, Wk, Wv = self.layers
        return self.attention(Wq(queries), Wk(keys), Wv(values))
    """,
}
"""The layers stand in a Python list or tuple, into which the module does not look: `parameters()` is empty, and nothing
trains.

Print `list(layer.parameters())`.

Each layer should be an attribute of its own: `Wq`, `Wk` and `Wv`.
"""

layers_of_other_names = {
    "self.Wq = nn": "self.wq = nn",
    "self.Wk = nn": "self.wk = nn",
    "self.Wv = nn": "self.wv = nn",
    "self.Wq(queries), self.Wk(keys), self.Wv(values)": "self.wq(queries), self.wk(keys), self.wv(values)",
}
"""The layers are registered and can learn, but under other names than the docstring gives them.

Print the names in `dict(layer.named_parameters())`.

Their names should be `Wq`, `Wk` and `Wv`.
"""

without_bias = {
    "self.Wq = nn.Linear(num_in_features, num_out_features": """
        self.Wq = nn.Linear(num_in_features, num_out_features, bias=False
    """,
    "self.Wk = nn.Linear(num_in_features, num_out_features": """
        self.Wk = nn.Linear(num_in_features, num_out_features, bias=False
    """,
    "self.Wv = nn.Linear(num_in_features, num_out_features": """
        self.Wv = nn.Linear(num_in_features, num_out_features, bias=False
    """,
}
"""The layers have no bias. The shapes are right, and so are the numbers while the biases are 0.

Print the names in `dict(layer.named_parameters())`.

Each layer should have a bias, as `nn.Linear` has by default.
"""

parameters_in_place_of_layers = {
    "self.Wq = nn.Linear(num_in_features, num_out_features)": """
        self.Wq = nn.Parameter(torch.randn(num_in_features, num_out_features))
    """,
    "self.Wk = nn.Linear(num_in_features, num_out_features)": """
        self.Wk = nn.Parameter(torch.randn(num_in_features, num_out_features))
    """,
    "self.Wv = nn.Linear(num_in_features, num_out_features)": """
        self.Wv = nn.Parameter(torch.randn(num_in_features, num_out_features))
    """,
    "self.Wq(queries), self.Wk(keys), self.Wv(values)": "queries @ self.Wq, keys @ self.Wk, values @ self.Wv",
}
"""`Wq`, `Wk` and `Wv` are matrices, as in the exercise before.

Print `type(layer.Wq)`, and compare with the docstring.

Each should be an `nn.Linear`.
"""

widths_swapped = {
    "self.Wq = nn.Linear(num_in_features, num_out_features": "self.Wq = nn.Linear(num_out_features, num_in_features",
    "self.Wk = nn.Linear(num_in_features, num_out_features": "self.Wk = nn.Linear(num_out_features, num_in_features",
    "self.Wv = nn.Linear(num_in_features, num_out_features": "self.Wv = nn.Linear(num_out_features, num_in_features",
}
"""The two widths of the layers have changed places. Where both are equal, nothing shows.

Print `TrainableAttention(3, 4).Wq`.

Each layer should lead from `num_in_features` to `num_out_features`.
"""

widths_written_as_numbers = {
    "self.Wq = nn.Linear(num_in_features, num_out_features": "self.Wq = nn.Linear(300, 256",
    "self.Wk = nn.Linear(num_in_features, num_out_features": "self.Wk = nn.Linear(300, 256",
    "self.Wv = nn.Linear(num_in_features, num_out_features": "self.Wv = nn.Linear(300, 256",
}
"""The layers are always 300 and 256 wide, whatever is asked for. With the default widths that is right.

Print `TrainableAttention(3, 4).Wq`.

Each layer should lead from `num_in_features` to `num_out_features`.
"""

values_keep_the_width = {
    "self.Wv = nn.Linear(num_in_features, num_out_features)": """
        self.Wv = nn.Linear(num_in_features, num_in_features)
    """
}
"""The values keep their width, so the output is `num_in_features` wide. Where both widths are equal, nothing shows.

Print `TrainableAttention(3, 4).Wv`.

`Wv` should lead from `num_in_features` to `num_out_features`, like the other two.
"""

a_layer_too_many = {
    "self.attention = DotProductAttention()": """
        self.Wo = nn.Linear(num_out_features, num_out_features)
        self.attention = DotProductAttention()
    """
}
"""The module has parameters besides those of `Wq`, `Wk` and `Wv`. The output may be right all the same.

Print the names in `dict(layer.named_parameters())`.

`Wq`, `Wk` and `Wv` should be all there is to train.
"""

init_of_the_module_left_out = {"super().__init__()": ""}

cut_from_the_graph = {"return self": "with torch.no_grad():\n    return self"}
"""The layers are registered, but the output does not remember how it was made (as under `no_grad`), so nothing can
learn. The numbers are right.

Print `requires_grad` of the output.

Gradients should flow back to the layers and to the inputs.
"""

weights_cut_from_the_graph = {
    "return self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))": """
        _, weights = self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))
        return weights.detach() @ self.Wv(values), weights.detach()
    """
}
"""The numbers are right and `Wv` learns, but no gradient passes through the attention weights, so `Wq` and `Wk` never
do.

Call `backward()` on the sum of the output's squares, and print `layer.Wq.weight.grad`.

Gradients should flow through the attention weights, too.
"""

queries_not_projected = {"self.Wq(queries)": "queries"}
"""The queries are compared as they came in, and `Wq` has no part in the result, so it never learns.

Double the weights of `Wq`. Does the output change?

The queries should go through `Wq` first.
"""

keys_not_projected = {"self.Wk(keys)": "keys"}
"""The keys are compared as they came in, and `Wk` has no part in the result, so it never learns.

Double the weights of `Wk`. Does the output change?

The keys should go through `Wk` first.
"""

values_not_projected = {"self.Wv(values)": "values"}
"""The values are mixed as they came in, and `Wv` has no part in the result, so it never learns.

Double the weights of `Wv`. Does the output change?

The values should go through `Wv` first.
"""

values_made_of_keys = {"self.Wv(values)": "self.Wv(keys)"}
"""The values are made of the keys, and the argument `values` changes nothing. Where both are the same tensor, as they
often are, nothing shows.

Call it with values that differ from the keys.

The values should be made from the argument `values`.
"""

all_from_the_queries = {"self.Wk(keys), self.Wv(values)": "self.Wk(queries), self.Wv(queries)"}
"""Keys and values are made of the queries, and the other two arguments change nothing: a sentence only meets itself. In
self-attention it looks right.

Call it with keys that differ from the queries.

Keys and values should be made from the arguments of these names.
"""

keys_projected_like_queries = {"self.Wk(keys)": "self.Wq(keys)"}

layers_mixed_up = {"self.Wq(queries), self.Wk(keys)": "self.Wk(queries), self.Wq(keys)"}
"""`Wq` projects the keys, and `Wk` the queries. All shapes are right.

Call it with queries that are all zeros, then double the weights of `Wq`. Should anything change?

`Wq` should project the queries, `Wk` the keys.
"""

queries_and_keys_swapped = {"self.Wq(queries), self.Wk(keys)": "self.Wk(keys), self.Wq(queries)"}
not_scaled = {
    "return self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))": """
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        weights = torch.softmax(q @ k.transpose(-2, -1), dim=-1)
        return weights @ v, weights
    """
}

scaled_by_the_width_that_comes_in = {
    "return self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))": """
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.Wk.in_features), dim=-1)
        return weights @ v, weights
    """
}
"""The scale is the root of the width that comes in, not of the projected one. Where both are equal, nothing shows.

Over how many numbers does each dot product add up? Try `TrainableAttention(3, 12)`.

The scale should be the root of the width of the projected queries and keys.
"""

divided_by_the_size = {
    "return self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))": """
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        weights = torch.softmax(q @ k.transpose(-2, -1) / k.shape[-1], dim=-1)
        return weights @ v, weights
    """
}
over_the_queries = {
    "return self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))": """
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        weights = torch.softmax(scores, dim=-2)
        return weights @ v, weights
    """
}
along_an_axis_counted_from_the_front = {
    "return self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))": """
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        weights = torch.softmax(scores, dim=1)
        return weights @ v, weights
    """
}
first_and_last_axis_swapped = {
    "return self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))": """
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        weights = torch.softmax(q @ k.transpose(0, -1) / math.sqrt(k.shape[-1]), dim=-1)
        return weights @ v, weights
    """
}

tanh_after_the_projection = {
    "self.Wq(queries), self.Wk(keys), self.Wv(values)": """
        torch.tanh(self.Wq(queries)), torch.tanh(self.Wk(keys)), torch.tanh(self.Wv(values))
    """
}
"""The projections go through an activation function. Near 0 that changes little.

Work out one projected query by hand, with the layer's weight and bias.

The projections should be matrix products with a bias and nothing more.
"""

weights_first = {
    "return self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))": """
        output, weights = self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))
        return weights, output
    """
}
weights_not_returned = {
    "return self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))": """
        output, weights = self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))
        return output
    """
}
not_returned = {"return self": "self"}
scaled_after_softmax = {
    "return self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))": """
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        scores = q @ k.transpose(-2, -1)
        weights = torch.softmax(scores, dim=-1) / math.sqrt(k.shape[-1])
        return weights @ v, weights
    """
}
multiplied_by_the_root = {
    "return self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))": """
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        weights = torch.softmax(q @ k.transpose(-2, -1) * math.sqrt(k.shape[-1]), dim=-1)
        return weights @ v, weights
    """
}
one_sum_for_everything = {
    "return self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))": """
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        weights = torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)
        return weights @ v, weights
    """
}
no_maximum_subtracted = {
    "return self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))": """
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        weights = scores.exp() / scores.exp().sum(dim=-1, keepdim=True)
        return weights @ v, weights
    """
}
one_maximum_for_everything = {
    "return self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))": """
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        exponentials = torch.exp(scores - scores.max())
        weights = exponentials / exponentials.sum(dim=-1, keepdim=True)
        return weights @ v, weights
    """
}
divided_by_the_sum = {
    "return self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))": """
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        weights = scores / scores.sum(dim=-1, keepdim=True)
        return weights @ v, weights
    """
}
argmax = {
    "return self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))": """
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        weights = nn.functional.one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(scores.dtype)
        return weights @ v, weights
    """
}
scores_for_weights = {
    "return self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))": """
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        weights = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        return weights @ v, weights
    """
}
reshaped_instead_of_transposed = {
    "return self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))": """
        q, k, v = self.Wq(queries), self.Wk(keys), self.Wv(values)
        weights = torch.softmax(q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]) / math.sqrt(k.shape[-1]), dim=-1)
        return weights @ v, weights
    """
}

names_without_self = {"self.Wq =": "Wq =", "self.Wk =": "Wk =", "self.Wv =": "Wv ="}
