"""Mistakes seen in answers to ConcatMultiHeadAttention."""

plain_tensors = {
    "(nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in)) for _ in range(3))": """
        (torch.randn(d_in, d_k, requires_grad=True) for _ in range(3))
    """,
    "nn.Parameter(torch.randn(num_heads * d_k, d_k) / math.sqrt(num_heads * d_k))": """
        torch.randn(num_heads * d_k, d_k, requires_grad=True)
    """,
}
"""The module lists none of its weights, as when they are plain tensors, so no optimizer will train them.

Print `list(layer.parameters())`. What does a module do with an `nn.Parameter` that it does not do with a tensor?

Every weight should be an `nn.Parameter`.
"""

plain_mixing_matrix = {
    "nn.Parameter(torch.randn(num_heads * d_k, d_k) / math.sqrt(num_heads * d_k))": """
        torch.randn(num_heads * d_k, d_k, requires_grad=True)
    """
}
"""The heads are trained, but `out` is a plain tensor that the module does not list, so nothing will train it.

Print the names in `dict(layer.named_parameters())`.

`out` should be an `nn.Parameter`.
"""

heads_in_a_list = {
    "nn.ModuleList(Head(d_in, d_k) for _ in range(num_heads))": "[Head(d_in, d_k) for _ in range(num_heads)]"
}
"""The module does not list the weights of the heads, as when the heads sit in a Python list, so no optimizer will ever
train them.

Print the names in `dict(layer.named_parameters())`.

The heads should sit in an `nn.ModuleList`, and each of their weights should be an `nn.Parameter`.
"""

one_head_many_times = {
    "nn.ModuleList(Head(d_in, d_k) for _ in range(num_heads))": "nn.ModuleList([Head(d_in, d_k)] * num_heads)"
}
"""All places hold one and the same head, as when a list is multiplied, so no head can differ from another.

Print `layer.heads[0] is layer.heads[1]`.

Every place should have a head of its own.
"""

made_in_forward = {
    """
        self.heads = nn.ModuleList(Head(d_in, d_k) for _ in range(num_heads))
        self.out = nn.Parameter(torch.randn(num_heads * d_k, d_k) / math.sqrt(num_heads * d_k))
    """: "self.d_in, self.d_k, self.num_heads = d_in, d_k, num_heads",
    "results = [head(inp) for head in self.heads]": """
        heads = [Head(self.d_in, self.d_k) for _ in range(self.num_heads)]
        out = nn.Parameter(torch.randn(self.num_heads * self.d_k, self.d_k))
        results = [head(inp) for head in heads]
    """,
    "@ self.out": "@ out",
}
"""The weights are made anew in every call. Each call by itself looks right.

Call the layer twice with the same tokens. What would be left of a step of training at the next call?

The weights should be made once, when the module is made, and kept.
"""

layers_for_matrices = {
    "nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))": "nn.Linear(d_in, d_k, bias=False)",
    "inp @ self.wq, inp @ self.wk, inp @ self.wv": "self.wq(inp), self.wk(inp), self.wv(inp)",
}
"""The weights of the heads are `nn.Linear` layers.

Print the names and shapes of the parameters, and compare them with the docstring.

They should be matrices of shape (d_in, d_k).
"""

weights_lie_on_their_side = {
    "torch.randn(d_in, d_k)": "torch.randn(d_k, d_in)",
    "inp @ self.wq, inp @ self.wk, inp @ self.wv": "inp @ self.wq.T, inp @ self.wk.T, inp @ self.wv.T",
}
"""The weights have the shape (d_k, d_in), as in `nn.Linear`. With `d_k` equal to `d_in` the shapes look right.

Print the names and shapes of the parameters with `d_in` 3 and `d_k` 4.

The weights should have the shape (d_in, d_k).
"""

not_mixed = {
    "self.out = nn.Parameter(torch.randn(num_heads * d_k, d_k) / math.sqrt(num_heads * d_k))": "",
    "side_by_side @ self.out": "side_by_side",
}
"""The heads stand side by side, and there is no matrix that mixes them: the output is `num_heads * d_k` wide.

Print the shape of the output, and the names of the parameters.

The heads side by side should be multiplied by a parameter `out`.
"""

matrix_not_used = {"side_by_side @ self.out": "side_by_side"}
"""The heads stand side by side as they are: `out` exists and has no part in the result, so it never learns.

Double `out`. Does the output change?

The heads side by side should be multiplied by `out`.
"""

first_and_last_axis_swapped = {"k.transpose(-2, -1)": "k.transpose(0, -1)"}
"""The first axis changes places with the last, as in `.T` or `transpose(0, -1)`. Without a batch that is right; with a
batch, the first axis is that of the sentences.

Print the shape of `torch.ones(2, 3, 4).transpose(0, -1)`.

Only the last two axes should change places.
"""

reshaped_instead_of_transposed = {"k.transpose(-2, -1)": "k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])"}

joined_along_axis_1 = {
    "torch.cat([output for output, _ in results], dim=-1)": "torch.cat([output for output, _ in results], dim=1)"
}
"""The heads are joined along axis 1. Without a batch that is the last; on a batch axis 1 counts tokens.

Print the shape after joining, for a batch of 2.

The heads should be joined along the last axis, so that they stand side by side.
"""

interleaved = {
    "torch.cat([output for output, _ in results], dim=-1)": """
        torch.stack([output for output, _ in results], dim=-1).flatten(-2)
    """
}
"""The numbers of the heads alternate: the first of each head, then the second. Every shape is right.

With two heads that return `[1, 2]` and `[3, 4]`: which row should they make?

All numbers of head 0 should come first, then all of head 1.
"""

stacked_in_front_of_the_batch = {"dim=-3": "dim=0"}
"""The weights are stacked in front of everything, the batch, too. Without a batch it is right.

Print the shape of the weights for a batch of 2 and three heads.

The axis of the heads should stand just before queries and keys.
"""

stacked_behind_the_batch_axis = {"dim=-3": "dim=1"}
"""The weights are stacked as axis 1. With exactly one batch axis that is right, with none or two it is not.

Print the shape of the weights for a single sentence.

The axis of the heads should stand just before queries and keys, whatever stands in front.
"""

weights_in_a_list = {"torch.stack([weights for _, weights in results], dim=-3)": "[weights for _, weights in results]"}
"""The weights of the heads come back as a Python list. Each of them is right.

Print the type of the second result.

The weights should be one tensor with an axis for the heads.
"""

weights_averaged = {
    "torch.stack([weights for _, weights in results], dim=-3)": """
        torch.stack([weights for _, weights in results]).mean(dim=0)
    """
}

weights_of_the_last_head = {"torch.stack([weights for _, weights in results], dim=-3)": "results[-1][1]"}
"""The weights that come back are those of one head only. The output is right.

Print the shape of the weights for three heads.

The weights of every head should come back.
"""

not_scaled = {" / math.sqrt(k.shape[-1])": ""}
"""The scores go into softmax as they are, so the weights come out too sharp, the more so the wider a head is. With
`d_k` 1 nothing shows.

How large is the largest weight of a row for `d_k` 4, and how large for 1000?

The scores should be divided by the square root of the width of a head, before softmax.
"""

scaled_by_the_width_of_all_heads = {
    "math.sqrt(k.shape[-1])": "math.sqrt(self.num_heads * k.shape[-1])",
    "self.out = nn.Parameter": "for head in self.heads:\n    head.num_heads = num_heads\nself.out = nn.Parameter",
}
"""The scale is the root of the width of all heads together, so the weights come out too flat. With one head nothing
shows.

How many products does one score add up?

The scale should be the root of `d_k`, the width of one head.
"""

scaled_by_the_width_of_the_tokens = {"k.shape[-1]": "inp.shape[-1]"}
"""The scale is the root of the width of the tokens. With `d_k` equal to `d_in` nothing shows.

How many products does one score add up? Try `d_in` 3 and `d_k` 12.

The scale should be the root of `d_k`, the width after projecting.
"""

divided_by_the_size = {"math.sqrt(k.shape[-1])": "k.shape[-1]"}
"""The scores are divided by the whole width of a head, so the weights come out too flat. With `d_k` 1 it looks right.

By which factor do your scores miss the right ones for `d_k` 4, 9 and 16?

The scores should be divided by the square root of `d_k`.
"""

scaled_after_softmax = {
    "torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]), dim=-1)": """
        torch.softmax(q @ k.transpose(-2, -1), dim=-1) / math.sqrt(k.shape[-1])
    """
}
over_the_queries = {"math.sqrt(k.shape[-1]), dim=-1": "math.sqrt(k.shape[-1]), dim=-2"}
softmax_from_the_front = {"math.sqrt(k.shape[-1]), dim=-1": "math.sqrt(k.shape[-1]), dim=1"}
no_maximum_subtracted = {
    "weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1]), dim=-1)": """
        exponentials = (q @ k.transpose(-2, -1) / math.sqrt(k.shape[-1])).exp()
        weights = exponentials / exponentials.sum(dim=-1, keepdim=True)
    """
}
queries_and_keys_swapped = {
    "inp @ self.wq, inp @ self.wk, inp @ self.wv": "inp @ self.wk, inp @ self.wq, inp @ self.wv"
}
"""Queries and keys have changed places: each row of the weights belongs to a key. All shapes are right.

Work out row 0 of the scores by hand. Whose query is in it?

Row i of the weights should belong to the query of token i, which `wq` makes.
"""

keys_mixed_instead_of_values = {"inp @ self.wv": "inp @ self.wk"}
"""The output is a mixture of the keys, and `wv` has no part in it, so it never learns. Every shape is right.

Double `wv` of a head. Does the output change?

The weights should mix the values, the tokens projected by `wv`.
"""

one_projection_for_queries_and_keys = {"inp @ self.wk": "inp @ self.wq"}
"""Keys are made with the matrix of the queries, so what a token asks for is also what it offers, and `wk` never learns.

Double `wk` of a head. Does anything change?

Keys should be made with `wk`.
"""

graph_cut = {"for output, _ in results], dim=-1)": "for output, _ in results], dim=-1).detach()"}
"""The numbers are right, but no gradient reaches the heads, as after `.data` or `detach` or under `no_grad`.

Call `backward()` on the sum of the output, and print the gradients of the heads.

Gradients should flow back to every parameter.
"""

weights_detached = {"math.sqrt(k.shape[-1]), dim=-1)": "math.sqrt(k.shape[-1]), dim=-1).detach()"}
"""The numbers are right, but no gradient passes through the attention weights, so queries and keys never learn.

Call `backward()` on the sum of the output's squares, and print the gradient of a head's `wq`.

Gradients should flow through the weights that mix the values. A copy for a picture may be detached.
"""

weights_first = {
    "return side_by_side @ self.out, torch.stack([weights for _, weights in results], dim=-3)": """
        return torch.stack([weights for _, weights in results], dim=-3), side_by_side @ self.out
    """
}
weights_not_returned = {", torch.stack([weights for _, weights in results], dim=-3)": ""}
not_returned = {"return side_by_side @ self.out, torch.stack([weights for _, weights in results], dim=-3)": ""}
