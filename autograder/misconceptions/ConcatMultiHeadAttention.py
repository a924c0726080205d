"""Mistakes seen in answers to ConcatMultiHeadAttention."""

plain_tensors = {
    "(nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in)) for _ in range(3))": """
        (torch.randn(d_in, d_k, requires_grad=True) for _ in range(3))
    """,
    "nn.Parameter(torch.randn(num_heads * d_k, d_k) / math.sqrt(num_heads * d_k))": """
        torch.randn(num_heads * d_k, d_k, requires_grad=True)
    """,
}
"""The weights are plain tensors, which `nn.Module` does not find: no optimizer will ever train them.

What does `nn.Parameter` say that `requires_grad=True` does not?
"""

plain_mixing_matrix = {
    "nn.Parameter(torch.randn(num_heads * d_k, d_k) / math.sqrt(num_heads * d_k))": """
        torch.randn(num_heads * d_k, d_k, requires_grad=True)
    """
}
"""The heads are trained, but `out` is a plain tensor, which nobody finds: make it an `nn.Parameter`."""

heads_in_a_list = {
    "nn.ModuleList(Head(d_in, d_k) for _ in range(num_heads))": "[Head(d_in, d_k) for _ in range(num_heads)]"
}
"""The heads sit in a Python list, which `nn.Module` does not look into: no optimizer will ever train them.

Which list of torch is made for modules?
"""

one_head_many_times = {
    "nn.ModuleList(Head(d_in, d_k) for _ in range(num_heads))": "nn.ModuleList([Head(d_in, d_k)] * num_heads)"
}
"""All places hold the same head: multiplying a list repeats what is in it, so that no head can differ from another.

Make a new head for every place.
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
"""The heads are made anew in every call, so that nothing that is learnt stays: make them in `__init__`."""

layers_for_matrices = {
    "nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))": "nn.Linear(d_in, d_k, bias=False)",
    "inp @ self.wq, inp @ self.wk, inp @ self.wv": "self.wq(inp), self.wk(inp), self.wv(inp)",
}
"""The weights of the heads are `nn.Linear` layers: here they are matrices of shape (d_in, d_k), without a bias."""

weights_lie_on_their_side = {
    "torch.randn(d_in, d_k)": "torch.randn(d_k, d_in)",
    "inp @ self.wq, inp @ self.wk, inp @ self.wv": "inp @ self.wq.T, inp @ self.wk.T, inp @ self.wv.T",
}
"""The weights have shape (d_k, d_in), as in `nn.Linear`: here they are (d_in, d_k), so that `inp @ wq` works."""

not_mixed = {
    "self.out = nn.Parameter(torch.randn(num_heads * d_k, d_k) / math.sqrt(num_heads * d_k))": "",
    "side_by_side @ self.out": "side_by_side",
}
"""The heads stand side by side, but no last matrix mixes them: multiply by a parameter `out`."""

matrix_not_used = {"side_by_side @ self.out": "side_by_side"}
"""The matrix `out` is there, but has no part in the result: the heads side by side are to be multiplied by it."""

first_and_last_axis_swapped = {"k.transpose(-2, -1)": "k.transpose(0, -1)"}
"""`transpose(0, -1)` is right for one sentence; on a batch it moves the batch axis too: swap only the last two."""

reshaped_instead_of_transposed = {"k.transpose(-2, -1)": "k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])"}

joined_along_axis_1 = {
    "torch.cat([output for output, _ in results], dim=-1)": "torch.cat([output for output, _ in results], dim=1)"
}
"""`torch.cat(results, 1)` is right for one sentence; on a batch axis 1 counts tokens. Join along the last axis."""

interleaved = {
    "torch.cat([output for output, _ in results], dim=-1)": """
        torch.stack([output for output, _ in results], dim=-1).flatten(-2)
    """
}
"""The numbers of the heads alternate: side by side means all numbers of the first head, then all of the next."""

stacked_in_front_of_the_batch = {"dim=-3": "dim=0"}
"""The weights are stacked in front of everything, the batch too: their axis stands just before queries and keys."""

stacked_behind_the_batch_axis = {"dim=-3": "dim=1"}
"""The weights are stacked as axis 1, which is right for exactly one batch axis: count the axis from the end."""

weights_in_a_list = {"torch.stack([weights for _, weights in results], dim=-3)": "[weights for _, weights in results]"}
"""The weights of the heads come back as a Python list: stack them into one tensor, with an axis for the heads."""

weights_averaged = {
    "torch.stack([weights for _, weights in results], dim=-3)": """
        torch.stack([weights for _, weights in results]).mean(dim=0)
    """
}

weights_of_the_last_head = {"torch.stack([weights for _, weights in results], dim=-3)": "results[-1][1]"}
"""The weights are those of one head only: collect them in the loop, as you collect the outputs."""

not_scaled = {" / math.sqrt(k.shape[-1])": ""}
"""The scores are not scaled: divide them by the square root of the width of a head, before softmax."""

scaled_by_the_width_of_all_heads = {
    "math.sqrt(k.shape[-1])": "math.sqrt(self.num_heads * k.shape[-1])",
    "self.out = nn.Parameter": "for head in self.heads:\n    head.num_heads = num_heads\nself.out = nn.Parameter",
}
"""The scale is the root of the width of all heads together: a score adds up the products of one head only."""

scaled_by_the_width_of_the_tokens = {"k.shape[-1]": "inp.shape[-1]"}
"""The scale is the root of the width of the tokens: a score adds up d_k products, the width after projecting."""

divided_by_the_size = {"math.sqrt(k.shape[-1])": "k.shape[-1]"}
"""The scores are divided by the width of a head itself: divide by its square root."""

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
keys_mixed_instead_of_values = {"inp @ self.wv": "inp @ self.wk"}

one_projection_for_queries_and_keys = {"inp @ self.wk": "inp @ self.wq"}
"""Keys are made with the matrix of the queries, so that what a token asks for is what it offers: use `wk`."""

graph_cut = {"for output, _ in results], dim=-1)": "for output, _ in results], dim=-1).detach()"}
"""The numbers are right, but no gradient reaches the heads: `.data`, `detach` or `no_grad` cuts the graph."""

weights_detached = {"math.sqrt(k.shape[-1]), dim=-1)": "math.sqrt(k.shape[-1]), dim=-1).detach()"}
"""The attention weights are detached before they mix the values, so that queries and keys never learn.

A copy for a picture may be detached, but not the weights that the output is made of.
"""

weights_first = {
    "return side_by_side @ self.out, torch.stack([weights for _, weights in results], dim=-3)": """
        return torch.stack([weights for _, weights in results], dim=-3), side_by_side @ self.out
    """
}
weights_not_returned = {", torch.stack([weights for _, weights in results], dim=-3)": ""}
not_returned = {"return side_by_side @ self.out, torch.stack([weights for _, weights in results], dim=-3)": ""}
