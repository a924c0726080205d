"""Mistakes seen in answers to SelfAttention."""

plain_tensors = {
    "self.wq = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))": "self.wq = torch.randn(d_in, d_k)",
    "self.wk = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))": "self.wk = torch.randn(d_in, d_k)",
    "self.wv = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))": "self.wv = torch.randn(d_in, d_k)",
}
"""The weights are plain tensors, so `parameters()` is empty: wrap them in `nn.Parameter`, or nothing trains.

The numbers come out right all the same, and that is what hides it. What would an optimizer get to see?
"""

gradients_but_not_registered = {
    """
        self.wq = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))
        self.wk = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))
        self.wv = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))
    """: "self.wq, self.wk, self.wv = (torch.randn(d_in, d_k, requires_grad=True) for _ in range(3))"
}
"""The weights ask for gradients, but the module does not know them: only an `nn.Parameter` is registered."""

buffers = {
    "self.wv = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))": """
        self.wv = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))
        self.requires_grad_(False)
    """
}
"""The weights are buffers, or parameters that ask for no gradient: they are saved, but never trained."""

made_in_forward = {
    """
        self.wq = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))
        self.wk = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))
        self.wv = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))
    """: "self.d_in, self.d_k = d_in, d_k",
    "return dot_attention(inp": """
        self.wq, self.wk, self.wv = (nn.Parameter(torch.randn(self.d_in, self.d_k)) for _ in range(3))
        return dot_attention(inp
    """,
}
"""The weights are made anew at every call, in `forward`: make them once, in `__init__`, and keep them.

What would be left of a step of training at the next call?
"""

in_a_python_list = {
    """
        self.wq = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))
        self.wk = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))
        self.wv = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))
    """: "self.matrices = [nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in)) for _ in range(3)]",
    "inp, self.wq, self.wk, self.wv": "inp, *self.matrices",
}
"""The weights stand in a Python list or tuple, where the module does not find them: set each as an attribute."""

parameters_of_other_names = {
    "self.wq = nn": "self.Wq = nn",
    "self.wk = nn": "self.Wk = nn",
    "self.wv = nn": "self.Wv = nn",
    "inp, self.wq, self.wk, self.wv": "inp, self.Wq, self.Wk, self.Wv",
}
"""The parameters are registered, but under other names: they should be `wq`, `wk` and `wv`."""

linear_layers = {
    "self.wq = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))": "self.wq = nn.Linear(d_in, d_k, bias=False)",
    "self.wk = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))": "self.wk = nn.Linear(d_in, d_k, bias=False)",
    "self.wv = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))": "self.wv = nn.Linear(d_in, d_k, bias=False)",
    "inp, self.wq, self.wk, self.wv": "inp, self.wq.weight.T, self.wk.weight.T, self.wv.weight.T",
}
"""`wq`, `wk` and `wv` are layers here: this exercise wants the matrices themselves, of shape (d_in, d_k).

The next exercise is about layers.
"""

one_matrix_for_all = {
    "self.wk = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))": "self.wk = self.wq",
    "self.wv = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))": "self.wv = self.wq",
}
"""One and the same parameter serves as `wq`, `wk` and `wv`: make three, so that they can learn different things."""

weights_turned = {
    "self.wq = nn.Parameter(torch.randn(d_in, d_k)": "self.wq = nn.Parameter(torch.randn(d_k, d_in)",
    "self.wk = nn.Parameter(torch.randn(d_in, d_k)": "self.wk = nn.Parameter(torch.randn(d_k, d_in)",
    "self.wv = nn.Parameter(torch.randn(d_in, d_k)": "self.wv = nn.Parameter(torch.randn(d_k, d_in)",
    "inp, self.wq, self.wk, self.wv": "inp, self.wq.T, self.wk.T, self.wv.T",
}
"""The parameters have the shape (d_k, d_in), as those of a linear layer do: here it is (d_in, d_k)."""

values_keep_the_width = {
    "self.wv = nn.Parameter(torch.randn(d_in, d_k)": "self.wv = nn.Parameter(torch.randn(d_in, d_in)"
}
"""`wv` keeps the width of the tokens: its shape is (d_in, d_k) as well."""

a_parameter_too_many = {
    "self.wq = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))": """
        self.wq = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))
        self.bias = nn.Parameter(torch.zeros(d_k))
    """,
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        output, weights = dot_attention(inp, self.wq, self.wk, self.wv)
        return output + self.bias, weights
    """,
}
"""The module has a parameter that nobody asked for: `wq`, `wk` and `wv` are all there is to train."""

init_of_the_module_left_out = {"super().__init__()": ""}

weights_cut_from_the_graph = {"inp, self.wq, self.wk, self.wv": "inp, self.wq.data, self.wk.data, self.wv.data"}
"""`.data` or `detach` cuts the output off from the parameters: they are registered, and still nothing can learn.

Use the parameters themselves in the products.
"""

no_grad = {"return dot": "with torch.no_grad():\n    return dot"}
"""`no_grad` or `detach` cuts the output off from everything that made it, so that nothing can learn."""

attention_weights_cut_from_the_graph = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        _, weights = dot_attention(inp, self.wq, self.wk, self.wv)
        return weights.detach() @ (inp @ self.wv), weights.detach()
    """
}
"""The attention weights are detached before they mix the values, so that `wq` and `wk` never learn."""

not_scaled = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        q, k, v = project_qkv(inp, self.wq, self.wk, self.wv)
        weights = torch.softmax(q @ k.transpose(-2, -1), dim=-1)
        return weights @ v, weights
    """
}
"""The scores are not scaled: divide them by the square root of `d_k` before softmax."""

scaled_by_the_width_of_the_tokens = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        q, k, v = project_qkv(inp, self.wq, self.wk, self.wv)
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(inp.shape[-1]), dim=-1)
        return weights @ v, weights
    """
}
"""The scores are scaled by the root of `d_in`: the width of queries and keys, `d_k`, is what makes them large."""

divided_by_the_size = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        q, k, v = project_qkv(inp, self.wq, self.wk, self.wv)
        weights = torch.softmax(q @ k.transpose(-2, -1) / k.shape[-1], dim=-1)
        return weights @ v, weights
    """
}
"""The scores are divided by `d_k` itself: divide by its square root."""

over_the_queries = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        q, k, v = project_qkv(inp, self.wq, self.wk, self.wv)
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        weights = torch.softmax(scores, dim=-2)
        return weights @ v, weights
    """
}
along_an_axis_counted_from_the_front = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        q, k, v = project_qkv(inp, self.wq, self.wk, self.wv)
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        weights = torch.softmax(scores, dim=1)
        return weights @ v, weights
    """
}
first_and_last_axis_swapped = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        q, k, v = project_qkv(inp, self.wq, self.wk, self.wv)
        weights = torch.softmax(q @ k.transpose(0, -1) / math.sqrt(k.shape[-1]), dim=-1)
        return weights @ v, weights
    """
}

queries_and_keys_swapped = {"self.wq, self.wk, self.wv)": "self.wk, self.wq, self.wv)"}
"""`wq` makes the keys here and `wk` the queries: row i of the weights belongs to query i."""

tokens_mixed_instead_of_values = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        _, weights = dot_attention(inp, self.wq, self.wk, self.wv)
        return weights @ inp, weights
    """
}
weights_first = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        output, weights = dot_attention(inp, self.wq, self.wk, self.wv)
        return weights, output
    """
}
weights_not_returned = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        output, weights = dot_attention(inp, self.wq, self.wk, self.wv)
        return output
    """
}
not_returned = {"return dot_attention": "dot_attention"}
scaled_after_softmax = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        q, k, v = project_qkv(inp, self.wq, self.wk, self.wv)
        scores = q @ k.transpose(-2, -1)
        weights = torch.softmax(scores, dim=-1) / math.sqrt(k.shape[-1])
        return weights @ v, weights
    """
}
multiplied_by_the_root = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        q, k, v = project_qkv(inp, self.wq, self.wk, self.wv)
        weights = torch.softmax(q @ k.transpose(-2, -1) * math.sqrt(k.shape[-1]), dim=-1)
        return weights @ v, weights
    """
}
one_sum_for_everything = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        q, k, v = project_qkv(inp, self.wq, self.wk, self.wv)
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        weights = torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)
        return weights @ v, weights
    """
}
no_maximum_subtracted = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        q, k, v = project_qkv(inp, self.wq, self.wk, self.wv)
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        weights = scores.exp() / scores.exp().sum(dim=-1, keepdim=True)
        return weights @ v, weights
    """
}
one_maximum_for_everything = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        q, k, v = project_qkv(inp, self.wq, self.wk, self.wv)
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        exponentials = torch.exp(scores - scores.max())
        weights = exponentials / exponentials.sum(dim=-1, keepdim=True)
        return weights @ v, weights
    """
}
divided_by_the_sum = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        q, k, v = project_qkv(inp, self.wq, self.wk, self.wv)
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        weights = scores / scores.sum(dim=-1, keepdim=True)
        return weights @ v, weights
    """
}
argmax = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        q, k, v = project_qkv(inp, self.wq, self.wk, self.wv)
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        weights = nn.functional.one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(scores.dtype)
        return weights @ v, weights
    """
}
scores_for_weights = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        q, k, v = project_qkv(inp, self.wq, self.wk, self.wv)
        weights = q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])
        return weights @ v, weights
    """
}
reshaped_instead_of_transposed = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        q, k, v = project_qkv(inp, self.wq, self.wk, self.wv)
        weights = torch.softmax(q @ k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]) / math.sqrt(k.shape[-1]), dim=-1)
        return weights @ v, weights
    """
}
