"""Mistakes seen in answers to dot_attention."""

not_scaled = {" / math.sqrt(k.size(-1))": ""}
divided_by_the_size = {"math.sqrt(k.size(-1))": "k.size(-1)"}

scaled_by_the_width_of_the_tokens = {"k.size(-1)": "inp.size(-1)"}
"""The scale is the root of the width of the tokens, not of the queries and keys. With `d_k` equal to `d_in` it looks
right.

Over how many numbers does each dot product add up? Try `d_in` 3 and `d_k` 12.

The scale should be the root of the width of queries and keys.
"""

scaled_by_the_number_of_tokens = {"k.size(-1)": "inp.size(-2)"}
"""The scale is the root of how many tokens there are, so a longer sentence gets flatter weights.

Add a token to the sentence. Should the scores of the others change?

The scale should be the root of the width of queries and keys.
"""

multiplied_by_the_root = {"/ math.sqrt": "* math.sqrt"}
size_written_as_a_number = {"k.size(-1)": "2"}
scaled_after_softmax = {" / math.sqrt(k.size(-1)), dim=-1)": ", dim=-1) / math.sqrt(k.size(-1))"}
one_sum_for_everything = {
    "weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.size(-1)), dim=-1)": """
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))
        weights = torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)
    """
}
over_the_queries = {"dim=-1": "dim=-2"}
along_an_axis_counted_from_the_front = {"dim=-1": "dim=1"}

over_the_sentences = {"dim=-1": "dim=0"}
"""Softmax runs along axis 0: in one sentence these are the queries, and in a batch the sentences.

Add up the rows of the weights, for one sentence and for a batch of two.

Softmax should run along the last axis, the keys.
"""

no_maximum_subtracted = {
    "weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.size(-1)), dim=-1)": """
        exponentials = torch.exp(q @ k.transpose(-2, -1) / math.sqrt(k.size(-1)))
        weights = exponentials / exponentials.sum(dim=-1, keepdim=True)
    """
}
one_maximum_for_everything = {
    "weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.size(-1)), dim=-1)": """
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))
        exponentials = torch.exp(scores - scores.max())
        weights = exponentials / exponentials.sum(dim=-1, keepdim=True)
    """
}
divided_by_the_sum = {
    "weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.size(-1)), dim=-1)": """
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))
        weights = scores / scores.sum(dim=-1, keepdim=True)
    """
}
argmax = {
    "weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.size(-1)), dim=-1)": """
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))
        weights = nn.functional.one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(scores.dtype)
    """
}
first_and_last_axis_swapped = {"k.transpose(-2, -1)": "k.transpose(0, -1)"}

first_two_axes_swapped = {"k.transpose(-2, -1)": "k.transpose(0, 1)"}
"""The first two axes change places, as in `transpose(0, 1)`. Without a batch that is the transpose; in a batch the
sentences move.

Print the shape of `torch.ones(2, 3, 4).transpose(0, 1)`.

Only the last two axes should change places, counted from the end.
"""

matrices_only = {"k.transpose(-2, -1)": "k.t()"}
batches_only = {"k.transpose(-2, -1)": "k.transpose(1, 2)"}
reshaped_instead_of_transposed = {"k.transpose(-2, -1)": "k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])"}

queries_and_keys_swapped = {"q @ k.transpose(-2, -1)": "k @ q.transpose(-2, -1)"}
"""Queries and keys have changed places: row i of the weights belongs to key i. All shapes are right.

Work out row 0 of the scores by hand. Whose query is in it?

Row i of the weights should belong to the query of token i, which `wq` makes.
"""

keys_mixed_instead_of_values = {"weights @ v": "weights @ k"}
tokens_mixed_instead_of_values = {"weights @ v": "weights @ inp"}

tokens_compared_as_they_are = {"q @ k.transpose(-2, -1)": "inp @ inp.transpose(-2, -1)"}
"""The tokens are compared as they came in, so `wq` and `wk` have no part in the weights.

Double `wq`. Do the weights change?

The scores should compare the queries with the keys.
"""

one_projection_for_queries_and_keys = {"project_qkv(inp, wq, wk, wv)": "project_qkv(inp, wq, wq, wv)"}
"""Queries and keys are made by the same matrix, so the scores are the same both ways.

Print the scores: is the score of word 1 for word 2 that of word 2 for word 1?

Queries should be made with `wq`, keys with `wk`.
"""

values_mixed_by_columns = {"weights @ v": "weights.transpose(-2, -1) @ v"}
"""The columns of the weights mix the values, not their rows. The weights that come back are right.

Take row 0 of the weights and mix the values with it by hand. Is that output 0?

Row i of the weights should make row i of the output.
"""

no_token_looks_ahead = {
    "weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.size(-1)), dim=-1)": """
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))
        later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
        weights = torch.softmax(scores.masked_fill(later, -math.inf), dim=-1)
    """
}
"""Later tokens are hidden from earlier ones: the weights above the diagonal are 0.

Look at the first row of the weights. How many tokens does it see?

Here every token should attend to all of them.
"""

tokens_added = {"weights @ v, weights": "weights @ v + v, weights"}
"""The output has something added to the mixture, as a residual connection does. The weights are right.

Mix the values by hand with the weights that come back. What is left over?

The output should be the mixture alone.
"""

cut_from_the_graph = {"return weights @ v, weights": "return (weights @ v).detach(), weights.detach()"}
"""The numbers are right, but they do not remember how they were made (as after `detach` or under `no_grad`), so nothing
could learn.

Print `requires_grad` of the output when `wq` asks for gradients.

Gradients should flow back to the tokens and to all three matrices.
"""

weights_cut_from_the_graph = {"dim=-1)": "dim=-1).detach()"}
weights_first = {"weights @ v, weights": "weights, weights @ v"}
weights_not_returned = {"weights @ v, weights": "weights @ v"}
scores_instead_of_weights = {"weights @ v, weights": "weights @ v, q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))"}
not_returned = {"return weights @ v, weights": "weights @ v"}

divided_to_whole_numbers = {"/ math": "// math"}

sigmoid_in_place_of_softmax = {
    "torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.size(-1)), dim=-1)": (
        "torch.sigmoid(q @ k.transpose(-2, -1) / math.sqrt(k.size(-1)))"
    )
}
