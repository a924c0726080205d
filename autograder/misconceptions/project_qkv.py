"""Mistakes seen in answers to project_qkv."""

one_projection_for_all = {"inp @ wk, inp @ wv": "inp @ wq, inp @ wq"}
"""Queries, keys and values all come from `wq`: all three results are the same, so scores would be the same both ways
again.

Double `wk`. Which of the three results should change, and which does?

Each of the three should be made with its own matrix.
"""

values_made_like_keys = {"inp @ wv": "inp @ wk"}
"""The values are made with the matrix of the keys, so what a word is found by is also all that it passes on.

Double `wv`. Do the values change?

The values should be made with `wv`.
"""

values_not_projected = {"inp @ wv": "inp"}
"""The values are the tokens as they came in, and `wv` has no part in them. With `d_k` equal to `d_in` the shape looks
right.

Double `wv`. Do the values change?

The values should be the tokens projected by `wv`.
"""

keys_made_of_queries = {"return inp @ wq, inp @ wk, inp @ wv": "q = inp @ wq\nreturn q, q @ wk, inp @ wv"}
"""The keys are made from the queries, so one projection stands on top of another. Where `d_k` is not `d_in`, that
raises an error.

Double `wq`. Which of the three results should change, and which do?

All three should start from the tokens.
"""

keys_first = {"inp @ wq, inp @ wk": "inp @ wk, inp @ wq"}
"""The first two results have changed places: the keys come first, then the queries. All shapes are equal, so nothing
complains.

Double `wq`. Which of the three results changes?

The order should be queries, keys, values.
"""

values_first = {"inp @ wq, inp @ wk, inp @ wv": "inp @ wv, inp @ wq, inp @ wk"}
"""The values come first, then queries and keys. All shapes are equal, so nothing complains.

Double `wv`. Which of the three results changes?

The order should be queries, keys, values.
"""

matrices_turned = {
    "inp @ wq, inp @ wk, inp @ wv": "inp @ wq.transpose(0, 1), inp @ wk.transpose(0, 1), inp @ wv.transpose(0, 1)"
}
"""The matrices are transposed before the product, as the weights of a linear layer are. With `d_k` equal to `d_in`
every shape is right.

Which axis of `wq` is as long as a token? Try `d_in` 3 and `d_k` 4.

The matrices should go into the product as they are, `(d_in, d_k)`.
"""

matrix_on_the_left = {"inp @ wq, inp @ wk, inp @ wv": "wq @ inp, wk @ inp, wv @ inp"}
"""The matrices stand on the left of the product. That raises an error, except where the sizes happen to agree, and then
the numbers are wrong.

Write the shapes side by side: which two axes are as long as a token?

Tokens are rows, so the matrix should come after them.
"""

multiplied_place_by_place = {"inp @ wq, inp @ wk, inp @ wv": "inp * wq, inp * wk, inp * wv"}
"""Tokens and matrices are multiplied place by place, and nothing is added up. Where the shapes do not line up, that
raises an error.

How many products does one number of a query add up?

A projection should be a matrix product, which multiplies and adds.
"""

one_sentence_only = {"inp @ wq, inp @ wk, inp @ wv": "torch.mm(inp, wq), torch.mm(inp, wk), torch.mm(inp, wv)"}
"""A batch raises an error, as `torch.mm` does with a third axis. For one sentence, a matrix, it is right.

Call it with a tensor of shape (2, 5, 3).

Any number of axes may stand in front, and the product should leave them alone.
"""

batch_flattened = {"return inp": "inp = inp.reshape(-1, inp.shape[-1])\nreturn inp"}
"""All sentences of the batch end up in one long one: two axes are left. The numbers are right.

Print the shapes for a batch of 2.

The axes in front should stay as they are.
"""

first_sentence_only = {"return inp": "while inp.dim() > 2:\n    inp = inp[0]\nreturn inp"}
"""Of a batch only the first sentence is projected. For one sentence it is right.

Print the shapes for a batch of 2.

Every sentence of the batch should be projected.
"""

a_batch_axis_added = {"return inp": "inp = inp.reshape(-1, *inp.shape[-2:])\nreturn inp"}
"""A single sentence comes back as a batch of one. With one batch axis it is right.

Print the shapes for one sentence, a matrix.

The axes in front of the last two should stay as they came, also if there are none.
"""

side_by_side = {"inp @ wq, inp @ wk, inp @ wv": "inp @ torch.cat([wq, wk, wv], dim=-1)"}
"""One tensor comes back, in which all three results stand side by side. The numbers are right.

Write `q, k, v = ...` with a call of it.

Three tensors should come back: queries, keys, values.
"""

normalised = {
    "inp @ wq, inp @ wk, inp @ wv": """
        torch.softmax(inp @ wq, dim=-1), torch.softmax(inp @ wk, dim=-1), torch.softmax(inp @ wv, dim=-1)
    """
}
"""The results have gone through a softmax: their rows sum to 1. Weights do, but these are no weights yet.

Add up a row of the queries. Should it sum to anything in particular?

Queries, keys and values should be plain products.
"""

scaled_already = {"inp @ wq": "inp @ wq / math.sqrt(wq.shape[-1])"}
"""The queries are divided by the square root of their width. The scores would come out scaled, so in the end it would
look right.

Work out a query of the example by hand.

Here the queries should be plain products; scaling is a step of its own, later.
"""

cut_from_the_graph = {
    "return inp @ wq, inp @ wk, inp @ wv": "with torch.no_grad():\n    return inp @ wq, inp @ wk, inp @ wv"
}
"""The numbers are right, but they do not remember how they were made (as after `detach` or under `no_grad`), so nothing
could learn.

Print `requires_grad` of a result when `wq` asks for gradients.

Gradients should flow back to the tokens and to all three matrices.
"""

input_cut_from_the_graph = {"return inp": "inp = inp.detach()\nreturn inp"}
"""The numbers are right and the matrices can learn, but no gradient gets back to the tokens, so whatever made them
cannot.

Set `inp.requires_grad_()`, call `backward()`, and print `inp.grad`.

Gradients should flow back to the tokens as well.
"""

float32_only = {"return inp": "inp = inp.float()\nreturn inp"}

changes_its_input = {
    "return inp @ wq, inp @ wk, inp @ wv": "result = inp @ wq, inp @ wk, inp @ wv\ninp.mul_(0)\nreturn result"
}
"""The results are right, but after the call the tokens are no longer what they were.

Print the tokens before and after the call.

The call should leave its arguments as they are.
"""

not_returned = {"return inp @ wq, inp @ wk, inp @ wv": "inp @ wq, inp @ wk, inp @ wv"}
