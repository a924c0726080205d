"""Mistakes seen in answers to cross_attention."""

not_scaled = {" / math.sqrt(keys.shape[-1])": ""}
"""The weights are sharper than they should be, the more so the wider the keys are.

A dot product of d numbers spreads like the square root of d. Which step of the formula keeps the spread near 1?
"""

divided_by_the_size = {"math.sqrt(keys.shape[-1])": "keys.shape[-1]"}
multiplied_by_the_root = {"/ math.sqrt": "* math.sqrt"}

softmax_taken_twice = {"return weights": "weights = torch.softmax(weights, dim=-1)\nreturn weights"}
"""Softmax is taken twice, so that all weights are nearly equal: once makes weights of scores."""

scaled_by_the_width_of_the_values = {"keys.shape[-1]": "values.shape[-1]"}
"""The scores are scaled by the width of the values, which have no part in them: it is keys that are multiplied."""

scaled_by_the_number_of_keys = {"keys.shape[-1]": "keys.shape[-2]"}
over_the_queries = {"dim=-1": "dim=-2"}
along_an_axis_counted_from_the_front = {"dim=-1": "dim=1"}

one_sum_for_all = {"torch.softmax(scores, dim=-1)": "torch.softmax(scores.flatten(-2), dim=-1).reshape(scores.shape)"}
"""One sum normalises all weights together: each row needs its own, so that each query shares out 1."""

no_maximum_subtracted = {"torch.softmax(scores, dim=-1)": "scores.exp() / scores.exp().sum(dim=-1, keepdim=True)"}

looks_at_one_word_only = {
    "torch.softmax(scores, dim=-1)": """
        nn.functional.one_hot(scores.argmax(dim=-1), scores.shape[-1]).to(scores.dtype)
    """
}
"""The best key gets all the weight: attention is a soft average, and a hard choice lets no gradient through."""

scaled_after_softmax = {
    " / math.sqrt(keys.shape[-1])": "",
    "torch.softmax(scores, dim=-1)": "torch.softmax(scores, dim=-1) / math.sqrt(keys.shape[-1])",
}

equal_weights = {"torch.softmax(scores": "torch.softmax(0 * scores"}
"""Every key gets the same weight, whatever the query asks for: that is an average, not attention."""

context_of_the_keys = {"weights @ values": "weights @ keys"}
"""The context is mixed of keys: they say where to look, but what is found there are the values."""

queries_and_keys_swapped = {"queries @ keys.transpose(-2, -1)": "keys @ queries.transpose(-2, -1)"}
first_and_last_axis_swapped = {"keys.transpose(-2, -1)": "keys.transpose(0, -1)"}

reshaped_in_place_of_turned = {
    "keys.transpose(-2, -1)": "keys.reshape(*keys.shape[:-2], keys.shape[-1], keys.shape[-2])"
}
"""`reshape` reads the keys anew and moves nothing: to turn them round, `transpose` their last two axes."""

weights_cut_from_the_graph = {"torch.softmax(scores, dim=-1)": "torch.softmax(scores, dim=-1).detach()"}
"""The weights are detached before they mix the values, so that queries and keys never learn where to look.

The numbers are right, and training goes on: only the values learn.
"""

cut_from_the_graph = {"return weights @ values, weights": "return (weights @ values).detach(), weights.detach()"}
"""`no_grad`, `.data` or `detach` cuts the results off from what made them, so that nothing behind them learns."""

words_behind_hidden = {
    "weights = torch": """
        scores = scores.masked_fill(torch.ones_like(scores).tril() == 0, -math.inf)
        weights = torch
    """
}
"""A causal mask hides words of the other sentence: all of it is there already, so that each query sees all."""

scores_instead_of_weights = {"weights @ values, weights": "weights @ values, scores"}
weights_first = {"weights @ values, weights": "weights, weights @ values"}
weights_not_returned = {"weights @ values, weights": "weights @ values"}
not_returned = {"return weights": "weights"}
