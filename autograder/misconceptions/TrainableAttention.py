"""Mistakes seen in answers to TrainableAttention."""

one_layer_for_all = {
    "self.Wk = nn.Linear(num_in_features, num_out_features)": "self.Wk = self.Wq",
    "self.Wv = nn.Linear(num_in_features, num_out_features)": "self.Wv = self.Wq",
}
"""One and the same layer serves as `Wq`, `Wk` and `Wv`: make three, so that they can learn different things."""

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
"""The layers stand in a Python list, where the module does not find them: set each as an attribute."""

layers_of_other_names = {
    "self.Wq = nn": "self.wq = nn",
    "self.Wk = nn": "self.wk = nn",
    "self.Wv = nn": "self.wv = nn",
    "self.Wq(queries), self.Wk(keys), self.Wv(values)": "self.wq(queries), self.wk(keys), self.wv(values)",
}
"""The layers are registered, but under other names: they should be `Wq`, `Wk` and `Wv`."""

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
"""The layers have no bias: leave `nn.Linear` as it is when it is made, without `bias=False`."""

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
"""`Wq`, `Wk` and `Wv` are matrices here, as in the exercise before: this one wants an `nn.Linear` for each."""

widths_swapped = {
    "self.Wq = nn.Linear(num_in_features, num_out_features": "self.Wq = nn.Linear(num_out_features, num_in_features",
    "self.Wk = nn.Linear(num_in_features, num_out_features": "self.Wk = nn.Linear(num_out_features, num_in_features",
    "self.Wv = nn.Linear(num_in_features, num_out_features": "self.Wv = nn.Linear(num_out_features, num_in_features",
}
"""The widths of the layers are swapped: `nn.Linear` takes the width that comes in, then the one that goes out."""

widths_written_as_numbers = {
    "self.Wq = nn.Linear(num_in_features, num_out_features": "self.Wq = nn.Linear(300, 256",
    "self.Wk = nn.Linear(num_in_features, num_out_features": "self.Wk = nn.Linear(300, 256",
    "self.Wv = nn.Linear(num_in_features, num_out_features": "self.Wv = nn.Linear(300, 256",
}
"""The layers have the widths 300 and 256 whatever is asked for: use the two arguments of `__init__`."""

values_keep_the_width = {
    "self.Wv = nn.Linear(num_in_features, num_out_features)": """
        self.Wv = nn.Linear(num_in_features, num_in_features)
    """
}
"""The values keep their width: `Wv` leads from `num_in_features` to `num_out_features`, as the other two do."""

a_layer_too_many = {
    "self.attention = DotProductAttention()": """
        self.Wo = nn.Linear(num_out_features, num_out_features)
        self.attention = DotProductAttention()
    """
}
"""The module trains more than it should: `Wq`, `Wk` and `Wv` are the only layers.

A final layer belongs to attention with several heads. What is there to recombine here?
"""

init_of_the_module_left_out = {"super().__init__()": ""}

cut_from_the_graph = {"return self": "with torch.no_grad():\n    return self"}
"""`no_grad`, `.data` or `detach` cuts the output off from the layers: they are registered, and still never learn.

The numbers are right. What do they no longer remember?
"""

weights_cut_from_the_graph = {
    "return self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))": """
        _, weights = self.attention(self.Wq(queries), self.Wk(keys), self.Wv(values))
        return weights.detach() @ self.Wv(values), weights.detach()
    """
}
"""The attention weights are detached before they mix the values, so that `Wq` and `Wk` never learn."""

queries_not_projected = {"self.Wq(queries)": "queries"}
"""The queries are compared as they came in: project them with `Wq` first."""

keys_not_projected = {"self.Wk(keys)": "keys"}
"""The keys are compared as they came in: project them with `Wk` first."""

values_not_projected = {"self.Wv(values)": "values"}
"""The values are mixed as they came in: project them with `Wv` first."""

values_made_of_keys = {"self.Wv(values)": "self.Wv(keys)"}
"""The values are made of the keys: they come in on their own, and may differ."""

all_from_the_queries = {"self.Wk(keys), self.Wv(values)": "self.Wk(queries), self.Wv(queries)"}
"""Keys and values are made of the queries, so that a sentence only meets itself: they are another sentence."""

layers_mixed_up = {"self.Wq(queries), self.Wk(keys)": "self.Wk(queries), self.Wq(keys)"}
"""`Wq` projects the keys and `Wk` the queries: each layer has its own input."""

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
"""The scores are scaled by the width that comes in: it is the projected queries and keys that are multiplied."""

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
"""The projections are bent by an activation function: they are plain matrix products with a bias."""

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
