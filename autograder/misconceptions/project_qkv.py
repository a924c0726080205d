"""Mistakes seen in answers to project_qkv."""

one_projection_for_all = {"inp @ wk, inp @ wv": "inp @ wq, inp @ wq"}
"""Queries, keys and values all come from `wq`: each part has a matrix of its own.

With one matrix the scores would be the same both ways again.
"""

values_made_like_keys = {"inp @ wv": "inp @ wk"}
"""The values are made with the keys' matrix, so that what a word is found by is also all that it passes on."""

values_not_projected = {"inp @ wv": "inp"}
"""The values are the tokens as they came in: they have a projection of their own, `wv`."""

keys_made_of_queries = {"return inp @ wq, inp @ wk, inp @ wv": "q = inp @ wq\nreturn q, q @ wk, inp @ wv"}
"""One projection is put on top of another: all three start from the tokens."""

keys_first = {"inp @ wq, inp @ wk": "inp @ wk, inp @ wq"}
"""The three results are in the wrong order: queries, keys, values."""

values_first = {"inp @ wq, inp @ wk, inp @ wv": "inp @ wv, inp @ wq, inp @ wk"}
"""The three results are in the wrong order: the values come last."""

matrices_turned = {
    "inp @ wq, inp @ wk, inp @ wv": "inp @ wq.transpose(0, 1), inp @ wk.transpose(0, 1), inp @ wv.transpose(0, 1)"
}
"""The matrices are transposed before the product, as the weights of a linear layer are: these are not stored so.

Which axis of `wq` is as long as a token?
"""

matrix_on_the_left = {"inp @ wq, inp @ wk, inp @ wv": "wq @ inp, wk @ inp, wv @ inp"}
"""The matrices stand on the left of the product: tokens are rows here, so the matrix comes after them."""

multiplied_place_by_place = {"inp @ wq, inp @ wk, inp @ wv": "inp * wq, inp * wk, inp * wv"}
"""`*` multiplies place by place: a projection is a matrix product, which multiplies and adds up."""

one_sentence_only = {"inp @ wq, inp @ wk, inp @ wv": "torch.mm(inp, wq), torch.mm(inp, wk), torch.mm(inp, wv)"}
"""This works for one sentence, a matrix, and not for a batch: there may be any number of axes in front.

`torch.mm` and an einsum over exactly two axes refuse a third. Which product leaves leading axes alone?
"""

batch_flattened = {"return inp": "inp = inp.reshape(-1, inp.shape[-1])\nreturn inp"}
"""All sentences of the batch end up in one long one: the axes in front have to stay as they are."""

first_sentence_only = {"return inp": "while inp.dim() > 2:\n    inp = inp[0]\nreturn inp"}
"""Only the first sentence of the batch is projected, and the others are lost."""

a_batch_axis_added = {"return inp": "inp = inp.reshape(-1, *inp.shape[-2:])\nreturn inp"}
"""One sentence comes back as a batch of one: the shape in front of the last two axes should stay."""

side_by_side = {"inp @ wq, inp @ wk, inp @ wv": "inp @ torch.cat([wq, wk, wv], dim=-1)"}
"""The three results come back as one tensor, side by side: return three, as `q, k, v`."""

normalised = {
    "inp @ wq, inp @ wk, inp @ wv": """
        torch.softmax(inp @ wq, dim=-1), torch.softmax(inp @ wk, dim=-1), torch.softmax(inp @ wv, dim=-1)
    """
}
"""The projections are made into weights by a softmax: here they are only products, the weights come later."""

scaled_already = {"inp @ wq": "inp @ wq / math.sqrt(wq.shape[-1])"}
"""The queries are divided by the square root of their width already: scaling belongs to the scores, later."""

cut_from_the_graph = {
    "return inp @ wq, inp @ wk, inp @ wv": "with torch.no_grad():\n    return inp @ wq, inp @ wk, inp @ wv"
}
"""`detach`, `.data`, `no_grad` or `torch.tensor(...)` cuts the results off from the weights: nothing could learn.

The numbers are right. What do they no longer remember?
"""

input_cut_from_the_graph = {"return inp": "inp = inp.detach()\nreturn inp"}
"""`detach` or `.data` cuts the tokens off from how they were made: what lies below this layer could not learn."""

float32_only = {"return inp": "inp = inp.float()\nreturn inp"}

changes_its_input = {
    "return inp @ wq, inp @ wk, inp @ wv": "result = inp @ wq, inp @ wk, inp @ wv\ninp.mul_(0)\nreturn result"
}
"""The tokens are overwritten, so that whoever passed them in loses them: make a new tensor."""

not_returned = {"return inp @ wq, inp @ wk, inp @ wv": "inp @ wq, inp @ wk, inp @ wv"}
