"""Mistakes seen in answers to cross_attention."""

not_scaled = {" / math.sqrt(keys.shape[-1])": ""}
"""The weights come out too sharp, the more so the wider the keys are. With keys of width 1 nothing shows.

A dot product of d numbers spreads like the square root of d. Which step of the formula keeps the spread near 1?

The scores should be divided by the square root of the width of the keys, before softmax.
"""

divided_by_the_size = {"math.sqrt(keys.shape[-1])": "keys.shape[-1]"}
multiplied_by_the_root = {"/ math.sqrt": "* math.sqrt"}

softmax_taken_twice = {"return weights": "weights = torch.softmax(weights, dim=-1)\nreturn weights"}
"""Softmax is taken twice, so no weight is more than 2.72 times another of its row. Rows sum to 1, which looks right.

Try scores that are far apart. How large can a weight get?

Softmax should be taken once.
"""

scaled_by_the_width_of_the_values = {"keys.shape[-1]": "values.shape[-1]"}
"""The scale comes from the width of the values. Where they are as wide as the keys, nothing shows.

Make the values wider, and leave queries and keys alone. Should the weights change?

The scale should be the root of the width of the keys.
"""

scaled_by_the_number_of_keys = {"keys.shape[-1]": "keys.shape[-2]"}
over_the_queries = {"dim=-1": "dim=-2"}
along_an_axis_counted_from_the_front = {"dim=-1": "dim=1"}

one_sum_for_all = {"torch.softmax(scores, dim=-1)": "torch.softmax(scores.flatten(-2), dim=-1).reshape(scores.shape)"}
"""One softmax runs over the whole table of a sentence. With a single query it is right.

Add up one row of the weights, then the whole table.

Each row should sum to 1.
"""

no_maximum_subtracted = {"torch.softmax(scores, dim=-1)": "scores.exp() / scores.exp().sum(dim=-1, keepdim=True)"}

looks_at_one_word_only = {
    "torch.softmax(scores, dim=-1)": """
        nn.functional.one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(scores.dtype)
    """
}
"""The best key gets all the weight, and the others get none, so no gradient reaches queries and keys.

Try two keys whose scores are almost equal. What should their weights be?

Every key should get its share, as softmax gives it.
"""

scaled_after_softmax = {
    " / math.sqrt(keys.shape[-1])": "",
    "torch.softmax(scores, dim=-1)": "torch.softmax(scores, dim=-1) / math.sqrt(keys.shape[-1])",
}

equal_weights = {"torch.softmax(scores": "torch.softmax(0 * scores"}
"""Every key gets the same weight, whatever the query asks for: an average, not attention.

Change the query. Do the weights change?

The weights should depend on the dot products of query and keys.
"""

context_of_the_keys = {"weights @ values": "weights @ keys"}
"""The context is mixed of the keys, and the values change nothing. Where both are the same tensor, it looks right.

Double the values. What should happen to the context, and what does?

The weights should mix the values: keys say where to look, values what is found there.
"""

queries_and_keys_swapped = {"queries @ keys.transpose(-2, -1)": "keys @ queries.transpose(-2, -1)"}
first_and_last_axis_swapped = {"keys.transpose(-2, -1)": "keys.transpose(0, -1)"}

reshaped_in_place_of_turned = {
    "keys.transpose(-2, -1)": "keys.reshape(*keys.shape[:-2], keys.shape[-1], keys.shape[-2])"
}
"""The numbers of the keys are counted off anew in rows of another length, as `reshape` does. The shape fits, but the
numbers stand in the wrong places.

Do it with `[[1, 2, 3], [4, 5, 6]]`, and print it beside its transpose.

Rows and columns of the keys should change places.
"""

weights_cut_from_the_graph = {"torch.softmax(scores, dim=-1)": "torch.softmax(scores, dim=-1).detach()"}
"""The numbers are right, but no gradient passes through the weights. Training goes on, and only the values learn.

Call `backward()` on the sum of the context, and print the gradients of queries and keys.

Gradients should flow through the weights, so that queries and keys learn where to look.
"""

cut_from_the_graph = {"return weights @ values, weights": "return (weights @ values).detach(), weights.detach()"}
"""The numbers are right, but they do not remember how they were made (as after `detach` or under `no_grad`), so nothing
could learn.

Print `requires_grad` of the context when the queries ask for gradients.

Gradients should flow back to queries, keys and values.
"""

words_behind_hidden = {
    "weights = torch": """
        scores = scores.masked_fill(torch.ones_like(scores).tril() == 0, -math.inf)
        weights = torch
    """
}
"""A causal mask hides words of the other sentence: the weights above the diagonal are 0.

Look at the first row of the weights. Which words of the other sentence does the first query not see?

Each query should see all of the other sentence.
"""

scores_instead_of_weights = {"weights @ values, weights": "weights @ values, scores"}
weights_first = {"weights @ values, weights": "weights, weights @ values"}
weights_not_returned = {"weights @ values, weights": "weights @ values"}
not_returned = {"return weights": "weights"}

divided_to_whole_numbers = {"/ math": "// math"}

sigmoid_in_place_of_softmax = {"torch.softmax(scores, dim=-1)": "torch.sigmoid(scores)"}
