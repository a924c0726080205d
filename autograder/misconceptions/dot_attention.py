"""Mistakes seen in answers to dot_attention."""

not_scaled = {" / math.sqrt(k.size(-1))": ""}
divided_by_the_size = {"math.sqrt(k.size(-1))": "k.size(-1)"}

scaled_by_the_width_of_the_tokens = {"k.size(-1)": "inp.size(-1)"}
"""The scores are scaled by the width of `inp`: it is the width of queries and keys that makes them large.

Over how many numbers does each dot product add up?
"""

scaled_by_the_number_of_tokens = {"k.size(-1)": "inp.size(-2)"}
"""The scores are scaled by the number of tokens: it is the width of queries and keys that counts."""

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
"""Softmax runs along axis 0, which are the queries of one sentence and the sentences of a batch: take the last."""

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
"""`transpose(0, 1)` or `.t()` turns one sentence, a matrix, but no batch: swap the last two axes, from the end."""

matrices_only = {"k.transpose(-2, -1)": "k.t()"}
batches_only = {"k.transpose(-2, -1)": "k.transpose(1, 2)"}
reshaped_instead_of_transposed = {"k.transpose(-2, -1)": "k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2])"}
queries_and_keys_swapped = {"q @ k.transpose(-2, -1)": "k @ q.transpose(-2, -1)"}
keys_mixed_instead_of_values = {"weights @ v": "weights @ k"}
tokens_mixed_instead_of_values = {"weights @ v": "weights @ inp"}

tokens_compared_as_they_are = {"q @ k.transpose(-2, -1)": "inp @ inp.transpose(-2, -1)"}
"""The tokens are compared as they are: make queries and keys of them first."""

one_projection_for_queries_and_keys = {"project_qkv(inp, wq, wk, wv)": "project_qkv(inp, wq, wq, wv)"}
"""Queries and keys are made by the same matrix, so that scores are the same both ways: each has its own."""

values_mixed_by_columns = {"weights @ v": "weights.transpose(-2, -1) @ v"}
"""The values are mixed by the columns of the weights: row i holds what output i takes from each token."""

no_token_looks_ahead = {
    "weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(k.size(-1)), dim=-1)": """
        scores = q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))
        later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
        weights = torch.softmax(scores.masked_fill(later, -math.inf), dim=-1)
    """
}
"""Later tokens are hidden from earlier ones: here every token attends to all of them."""

tokens_added = {"weights @ v, weights": "weights @ v + v, weights"}
"""The values are added to the output once more, as a residual connection would: return the mixture alone."""

cut_from_the_graph = {"return weights @ v, weights": "return (weights @ v).detach(), weights.detach()"}
"""`detach`, `.data` or `no_grad` cuts the output off from the weights, so that nothing could learn.

The numbers are right. What do they no longer remember?
"""

weights_cut_from_the_graph = {"dim=-1)": "dim=-1).detach()"}
weights_first = {"weights @ v, weights": "weights, weights @ v"}
weights_not_returned = {"weights @ v, weights": "weights @ v"}
scores_instead_of_weights = {"weights @ v, weights": "weights @ v, q @ k.transpose(-2, -1) / math.sqrt(k.size(-1))"}
not_returned = {"return weights @ v, weights": "weights @ v"}
