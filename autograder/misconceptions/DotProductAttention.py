"""Mistakes seen in answers to DotProductAttention."""

not_scaled = {" / math.sqrt(keys.size(-1))": ""}
divided_by_the_size = {"math.sqrt(keys.size(-1))": "keys.size(-1)"}

scaled_by_the_width_of_the_values = {"keys.size(-1)": "values.size(-1)"}
"""The scale comes from the width of the values, not of the keys. Where both are equally wide, nothing shows.

Make the values wider, and leave queries and keys alone. Should the weights change?

The scale should be the root of the width of the keys: it is their products that are added up.
"""

scaled_by_the_number_of_keys = {"keys.size(-1)": "keys.size(-2)"}
multiplied_by_the_root = {"/ math.sqrt": "* math.sqrt"}
size_written_as_a_number = {"keys.size(-1)": "2"}
scaled_after_softmax = {
    " / math.sqrt(keys.size(-1))": "",
    "return attn_matrix": "attn_matrix = attn_matrix / math.sqrt(keys.size(-1))\nreturn attn_matrix",
}
over_the_queries = {
    """
        if mask is None:
            attn_matrix = torch.softmax(scores, dim=-1)
    """: """
        if mask is None:
            attn_matrix = torch.softmax(scores, dim=-2)
    """,
    "attn_matrix = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)": """
        attn_matrix = torch.softmax(scores, dim=-2).masked_fill(~mask, 0.0)
    """,
}
along_an_axis_counted_from_the_front = {
    """
        if mask is None:
            attn_matrix = torch.softmax(scores, dim=-1)
    """: """
        if mask is None:
            attn_matrix = torch.softmax(scores, dim=1)
    """,
    "attn_matrix = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)": """
        attn_matrix = torch.softmax(scores, dim=1).masked_fill(~mask, 0.0)
    """,
}
no_maximum_subtracted = {
    """
        if mask is None:
            attn_matrix = torch.softmax(scores, dim=-1)
    """: """
        if mask is None:
            attn_matrix = scores.exp() / scores.exp().sum(dim=-1, keepdim=True)
    """,
    "attn_matrix = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)": """
        attn_matrix = scores.exp() / scores.exp().sum(dim=-1, keepdim=True)
        attn_matrix = attn_matrix.masked_fill(~mask, 0.0)
    """,
}
one_maximum_for_everything = {
    "if mask is None:\n    attn_matrix = torch.softmax(scores, dim=-1)": """
        if mask is None:
            exponentials = (scores - scores.max()).exp()
            attn_matrix = exponentials / exponentials.sum(dim=-1, keepdim=True)
    """,
    "attn_matrix = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)": """
        exponentials = (scores - scores.max()).exp()
        attn_matrix = exponentials / exponentials.sum(dim=-1, keepdim=True)
        attn_matrix = attn_matrix.masked_fill(~mask, 0.0)
    """,
}
argmax = {
    """
        if mask is None:
            attn_matrix = torch.softmax(scores, dim=-1)
    """: """
        if mask is None:
            attn_matrix = nn.functional.one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(scores.dtype)
    """,
    "attn_matrix = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)": """
        attn_matrix = nn.functional.one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(scores.dtype)
        attn_matrix = attn_matrix.masked_fill(~mask, 0.0)
    """,
}
first_and_last_axis_swapped = {"keys.transpose(-2, -1)": "keys.transpose(0, -1)"}
matrices_only = {"keys.transpose(-2, -1)": "keys.t()"}
batches_only = {"keys.transpose(-2, -1)": "keys.transpose(1, 2)"}
reshaped_instead_of_transposed = {
    "keys.transpose(-2, -1)": "keys.reshape(*keys.shape[:-2], keys.shape[-1], keys.shape[-2])"
}
queries_and_keys_swapped = {"queries @ keys.transpose(-2, -1)": "keys @ queries.transpose(-2, -1)"}
keys_mixed_instead_of_values = {"attn_matrix @ values": "attn_matrix @ keys"}
tiny_number_for_a_large_one = {"torch.finfo(scores.dtype).min": "-1e-9", ".masked_fill(~mask, 0.0)": ""}
hidden_scores_set_to_zero = {"torch.finfo(scores.dtype).min": "0.0", ".masked_fill(~mask, 0.0)": ""}

fill_not_low_enough = {
    "torch.finfo(scores.dtype).min": "-100.0",
    ".masked_fill(~mask, 0.0)": ".masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)",
}
"""Hidden scores are set to a number that other scores go below, so among very low scores a hidden key wins. With
ordinary scores it is right.

Hide one key among scores that all lie below the number that you fill in. Which key gets the weight?

A hidden key should get the weight 0, however low the other scores are.
"""

large_positive_fill = {"torch.finfo(scores.dtype).min": "1e9", ".masked_fill(~mask, 0.0)": ""}

mask_added = {
    "scores.masked_fill(~mask, torch.finfo(scores.dtype).min)": "scores + mask",
    ".masked_fill(~mask, 0.0)": "",
}
"""The mask is added to the scores, as 1 or 0, so hidden keys get less weight, but not 0.

Hide one key, and look at its weight.

`True` should leave a score as it is, and `False` take all its weight away.
"""

masked_after_softmax = {"scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)": ""}
mask_inverted = {
    "masked_fill(~mask, torch.finfo(scores.dtype).min)": "masked_fill(mask, torch.finfo(scores.dtype).min)",
    "masked_fill(~mask, 0.0)": "masked_fill(mask, 0.0)",
}
mask_ignored = {"scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)": "", ".masked_fill(~mask, 0.0)": ""}

mask_turned = {"# Finite": "mask = mask.transpose(-2, -1)\n# Finite"}
"""The mask is used with its last two axes exchanged, or stretched along the wrong one. For a symmetric mask it is
right.

Hide the last key from all queries, with 2 queries and 5 keys.

The last axis of the mask should be the keys, the one before it the queries.
"""

one_mask_for_all_queries = {"# Finite": "mask = mask[..., :1, :]\n# Finite"}
"""The first row of the mask is used for every query. Where all rows agree, as with padding, it is right.

Try the causal mask. What may the second query see?

Each row of the mask should belong to its own query.
"""

nan_for_empty_rows = {"torch.finfo(scores.dtype).min": "-math.inf", ".masked_fill(~mask, 0.0)": ""}
equal_weights_for_empty_rows = {"torch.finfo(scores.dtype).min": "-1e9", ".masked_fill(~mask, 0.0)": ""}

output_made_too_early = {
    "attn_matrix = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)": """
        attn_matrix = torch.softmax(scores, dim=-1)
        return attn_matrix @ values, attn_matrix.masked_fill(~mask, 0.0)
    """
}
"""A query that may attend to nothing gets weights of 0, but its output was mixed before they were set to 0.

Hide all keys from one query, and mix the values by hand with the weights that come back.

The output should be made of the weights that come back.
"""

asked_whether_the_mask_is_true = {"if mask is None:": "if not mask:"}

mask_required = {
    "if mask is None:\n    attn_matrix = torch.softmax(scores, dim=-1)": """
        scores = scores.masked_fill(mask == 0, -math.inf)
        if mask is None:
            attn_matrix = torch.softmax(scores, dim=-1)
    """,
    "torch.finfo(scores.dtype).min": "-math.inf",
    ".masked_fill(~mask, 0.0)": "",
}
"""Without a mask it raises an error: `None` is used as if it were one. With a mask that leaves every query a key, it
works.

Call it with queries, keys and values alone.

The mask should only be used where one is given.
"""

cut_from_the_graph = {
    "return attn_matrix @ values, attn_matrix": "return (attn_matrix @ values).detach(), attn_matrix.detach()"
}
"""The numbers are right, but they do not remember how they were made (as after `detach` or under `no_grad`), so nothing
could learn.

Print `requires_grad` of the output when the queries ask for gradients.

Gradients should flow back to queries, keys and values.
"""

weights_cut_from_the_graph = {
    """
        if mask is None:
            attn_matrix = torch.softmax(scores, dim=-1)
    """: """
        if mask is None:
            attn_matrix = torch.softmax(scores, dim=-1).detach()
    """,
    "attn_matrix = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)": """
        attn_matrix = torch.softmax(scores, dim=-1).detach().masked_fill(~mask, 0.0)
    """,
}

a_learned_temperature = {
    "def forward(": """
        def __init__(self):
            super().__init__()
            self.temperature = nn.Parameter(torch.ones(()))

        def forward(
    """
}
"""The module has parameters of its own. The output may be right all the same.

Print `list(DotProductAttention().parameters())`.

The module should have no parameters: all that can be learned lies in front of it.
"""

weights_first = {"attn_matrix @ values, attn_matrix": "attn_matrix, attn_matrix @ values"}
weights_not_returned = {"attn_matrix @ values, attn_matrix": "attn_matrix @ values"}
scores_instead_of_weights = {
    "scores = queries": "scores = raw_scores = queries",
    "attn_matrix @ values, attn_matrix": "attn_matrix @ values, raw_scores",
}
not_returned = {"return attn_matrix @ values, attn_matrix": "attn_matrix @ values"}
one_sum_for_everything = {
    """
        if mask is None:
            attn_matrix = torch.softmax(scores, dim=-1)
    """: """
        if mask is None:
            attn_matrix = torch.softmax(scores.flatten(), dim=0).reshape(scores.shape)
    """,
    "attn_matrix = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)": """
        attn_matrix = torch.softmax(scores.flatten(), dim=0).reshape(scores.shape).masked_fill(~mask, 0.0)
    """,
}

no_maximum_and_nan_for_empty_rows = {
    """
        if mask is None:
            attn_matrix = torch.softmax(scores, dim=-1)
    """: """
        if mask is None:
            attn_matrix = scores.exp() / scores.exp().sum(dim=-1, keepdim=True)
    """,
    "torch.finfo(scores.dtype).min": "-math.inf",
    "attn_matrix = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)": """
        attn_matrix = scores.exp() / scores.exp().sum(dim=-1, keepdim=True)
    """,
}
"""Two things give NaN here: large scores overflow, and a query that may attend to nothing divides 0 by 0. For scores
near 0 all other rows are right.

Try scores near 1000; then hide every key from one query.

Scores of any size should give weights, and a query without any visible key should get zeros.
"""

divided_by_the_sum = {
    """
        if mask is None:
            attn_matrix = torch.softmax(scores, dim=-1)
    """: """
        if mask is None:
            attn_matrix = scores / scores.sum(dim=-1, keepdim=True)
    """,
    "scores.masked_fill(~mask, torch.finfo(scores.dtype).min)": "scores * mask",
    "attn_matrix = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)": """
        attn_matrix = scores / scores.sum(dim=-1, keepdim=True)
    """,
}

divided_to_whole_numbers = {"/ math": "// math"}

sigmoid_in_place_of_softmax = {
    """
        if mask is None:
            attn_matrix = torch.softmax(scores, dim=-1)
    """: """
        if mask is None:
            attn_matrix = torch.sigmoid(scores)
    """,
    "torch.softmax(scores, dim=-1).masked": "torch.sigmoid(scores).masked",
}
