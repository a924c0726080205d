"""Mistakes seen in answers to SelfAttention."""

plain_tensors = {
    "self.wq = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))": "self.wq = torch.randn(d_in, d_k)",
    "self.wk = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))": "self.wk = torch.randn(d_in, d_k)",
    "self.wv = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))": "self.wv = torch.randn(d_in, d_k)",
}
"""The weights are plain tensors: `parameters()` is empty, so nothing trains.

Print `list(layer.parameters())`. What would an optimizer get to see?

`wq`, `wk` and `wv` should each be an `nn.Parameter`.
"""

gradients_but_not_registered = {
    """
        self.wq = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))
        self.wk = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))
        self.wv = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))
    """: "self.wq, self.wk, self.wv = (torch.randn(d_in, d_k, requires_grad=True) for _ in range(3))"
}
"""The weights ask for gradients, but the module does not list them, so no optimizer will change them.

Print `list(layer.parameters())`. What would an optimizer get to see?

`wq`, `wk` and `wv` should each be an `nn.Parameter`.
"""

buffers = {
    "self.wv = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))": """
        self.wv = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))
        self.requires_grad_(False)
    """
}
"""The weights are part of the module and are saved with it, but they ask for no gradient, so they are never trained.

Print `requires_grad` of each parameter. Are there any?

`wq`, `wk` and `wv` should be parameters that ask for gradients.
"""

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
"""The weights are drawn anew at every call. Each call by itself looks right.

Call the layer twice with the same tokens. What would be left of a step of training at the next call?

The weights should be made once, when the layer is made, and kept.
"""

in_a_python_list = {
    """
        self.wq = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))
        self.wk = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))
        self.wv = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))
    """: "self.matrices = [nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in)) for _ in range(3)]",
    "inp, self.wq, self.wk, self.wv": "inp, *self.matrices",
}
"""The weights stand in a Python list or tuple, into which the module does not look: `parameters()` is empty, and
nothing trains.

Print `list(layer.parameters())`.

Each weight should be an attribute of its own: `wq`, `wk` and `wv`.
"""

parameters_of_other_names = {
    "self.wq = nn": "self.Wq = nn",
    "self.wk = nn": "self.Wk = nn",
    "self.wv = nn": "self.Wv = nn",
    "inp, self.wq, self.wk, self.wv": "inp, self.Wq, self.Wk, self.Wv",
}
"""The parameters are registered and can learn, but under other names than the docstring gives them.

Print the names in `dict(layer.named_parameters())`.

Their names should be `wq`, `wk` and `wv`.
"""

linear_layers = {
    "self.wq = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))": "self.wq = nn.Linear(d_in, d_k, bias=False)",
    "self.wk = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))": "self.wk = nn.Linear(d_in, d_k, bias=False)",
    "self.wv = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))": "self.wv = nn.Linear(d_in, d_k, bias=False)",
    "inp, self.wq, self.wk, self.wv": "inp, self.wq.weight.T, self.wk.weight.T, self.wv.weight.T",
}
"""`wq`, `wk` and `wv` are layers, which hold a matrix of their own with rows and columns exchanged.

Print `type(layer.wq)`, and compare with the docstring.

They should be the matrices themselves, of shape (d_in, d_k). The next exercise is about layers.
"""

one_matrix_for_all = {
    "self.wk = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))": "self.wk = self.wq",
    "self.wv = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))": "self.wv = self.wq",
}
"""One and the same parameter serves as `wq`, `wk` and `wv`, so the three can never learn different things.

How many parameters does `list(layer.parameters())` have?

There should be three parameters.
"""

weights_turned = {
    "self.wq = nn.Parameter(torch.randn(d_in, d_k)": "self.wq = nn.Parameter(torch.randn(d_k, d_in)",
    "self.wk = nn.Parameter(torch.randn(d_in, d_k)": "self.wk = nn.Parameter(torch.randn(d_k, d_in)",
    "self.wv = nn.Parameter(torch.randn(d_in, d_k)": "self.wv = nn.Parameter(torch.randn(d_k, d_in)",
    "inp, self.wq, self.wk, self.wv": "inp, self.wq.T, self.wk.T, self.wv.T",
}
"""The parameters have the shape (d_k, d_in), as those of a linear layer do. With `d_k` equal to `d_in` the shapes look
right.

Print the shapes of the parameters of `SelfAttention(3, 4)`.

Each should have the shape (d_in, d_k).
"""

values_keep_the_width = {
    "self.wv = nn.Parameter(torch.randn(d_in, d_k)": "self.wv = nn.Parameter(torch.randn(d_in, d_in)"
}
"""`wv` keeps the width of the tokens, so the output is `d_in` wide. With `d_k` equal to `d_in` nothing shows.

Print the shapes of the parameters of `SelfAttention(3, 4)`.

`wv` should have the shape (d_in, d_k), like the other two.
"""

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
"""The module has a parameter besides `wq`, `wk` and `wv`.

Print the names in `dict(layer.named_parameters())`.

`wq`, `wk` and `wv` should be all there is to train.
"""

init_of_the_module_left_out = {"super().__init__()": ""}

weights_cut_from_the_graph = {"inp, self.wq, self.wk, self.wv": "inp, self.wq.data, self.wk.data, self.wv.data"}
"""The parameters are registered, but the output does not remember them (as after `.data` or `detach`), so they never
learn. The numbers are right.

Let the tokens ask for gradients, call `backward()` on the sum of the output, and print `layer.wq.grad`.

Gradients should flow from the output back to the parameters.
"""

no_grad = {"return dot": "with torch.no_grad():\n    return dot"}
"""The numbers are right, but the output does not remember how it was made (as under `no_grad` or after `detach`), so
nothing can learn.

Print `requires_grad` of the output.

Gradients should flow back to the parameters and to the tokens.
"""

attention_weights_cut_from_the_graph = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        _, weights = dot_attention(inp, self.wq, self.wk, self.wv)
        return weights.detach() @ (inp @ self.wv), weights.detach()
    """
}
"""The numbers are right and `wv` learns, but no gradient passes through the attention weights, so `wq` and `wk` never
do.

Call `backward()` on the sum of the output's squares, and print `layer.wq.grad`.

Gradients should flow through the attention weights, too.
"""

not_scaled = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        q, k, v = project_qkv(inp, self.wq, self.wk, self.wv)
        weights = torch.softmax(q @ k.transpose(-2, -1), dim=-1)
        return weights @ v, weights
    """
}
"""The scores go into softmax as they are, so the weights come out too sharp, the more so the larger `d_k` is. With
`d_k` 1 nothing shows.

How large is the largest weight of a row for `d_k` 4, and how large for 1000?

The scores should be divided by the square root of `d_k`, before softmax.
"""

scaled_by_the_width_of_the_tokens = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        q, k, v = project_qkv(inp, self.wq, self.wk, self.wv)
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(inp.shape[-1]), dim=-1)
        return weights @ v, weights
    """
}
"""The scale is the root of `d_in`, not of `d_k`. Where both are equal, nothing shows.

Over how many numbers does each dot product add up? Try `SelfAttention(3, 12)`.

The scale should be the root of `d_k`, the width of queries and keys.
"""

divided_by_the_size = {
    "return dot_attention(inp, self.wq, self.wk, self.wv)": """
        q, k, v = project_qkv(inp, self.wq, self.wk, self.wv)
        weights = torch.softmax(q @ k.transpose(-2, -1) / k.shape[-1], dim=-1)
        return weights @ v, weights
    """
}
"""The scores are divided by the whole of `d_k`, so the weights come out too flat. With `d_k` 1 it looks right.

By which factor do your scores miss the right ones for `d_k` 4, 9 and 16?

The scores should be divided by the square root of `d_k`.
"""

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
"""Queries and keys have changed places: row i of the weights belongs to key i. All shapes are right.

Work out row 0 of the scores by hand. Whose query is in it?

Row i of the weights should belong to the query of token i, which `wq` makes.
"""

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

names_without_self = {"self.wq =": "wq =", "self.wk =": "wk =", "self.wv =": "wv ="}
