"""Mistakes seen in answers to SelfAttentionBlock."""

token_not_added = {"x + found": "found"}
"""What attention finds replaces the token: it is to be added to it, and the sum normalised."""

token_added_after_the_norm = {"self.norm(x + found)": "x + self.norm(found)"}
"""The norm is taken of what attention found, and the token added behind it: normalise the sum of both."""

normalised_before_attention = {
    "found, weights = self.attention(x, x, x": """
        normal = self.norm(x)
        found, weights = self.attention(normal, normal, normal
    """,
    "self.norm(x + found)": "x + found",
}
"""The norm comes before attention, as in many later models: this one was trained with the norm around the sum.

Both orders run with the same weights. Which one is in the formula?
"""

not_normalised = {"self.norm(x + found)": "x + found"}
"""The sum comes back as it is, and grows from layer to layer: it has to go through `norm`."""

normalised_twice = {"self.norm(x + found)": "self.norm(self.norm(x) + found)"}
"""The token is normalised before it is added as well: only the sum is."""

token_added_once_more_after_the_norm = {"self.norm(x + found)": "x + self.norm(x + found)"}
"""The token is added to the sum, and once more behind the norm: the norm comes last."""

token_added_twice = {"x + found": "x + found + x"}
"""The token is counted twice in the sum: once is what the formula says."""

eps_of_torch = {", eps=1e-12": ""}
"""The norm has torch's usual `eps`, 1e-5: this model was trained with 1e-12, and tokens of small spread show it."""

norm_without_its_weights = {"self.norm(x + found)": "nn.functional.layer_norm(x + found, x.shape[-1:], eps=1e-12)"}
"""The sum is normalised, but weight and bias of `norm` have no part in it: call the module itself."""

norm_over_the_sentence = {
    "return self.norm(x + found), weights": """
        normal = nn.functional.layer_norm(x + found, x.shape[-2:], eps=1e-12)
        return normal * self.norm.weight + self.norm.bias, weights
    """
}
"""Mean and spread are taken over the whole sentence: every token is normalised on its own."""

norm_over_the_tokens = {
    "return self.norm(x + found), weights": """
        sums = x + found
        spread = (sums.var(dim=-2, keepdim=True, correction=0) + 1e-12).sqrt()
        return (sums - sums.mean(dim=-2, keepdim=True)) / spread * self.norm.weight + self.norm.bias, weights
    """
}
"""Each number is normalised over the tokens: the mean is to be taken over the numbers of one token."""

spread_with_one_less = {
    "return self.norm(x + found), weights": """
        sums = x + found
        spread = (sums.var(dim=-1, keepdim=True) + 1e-12).sqrt()
        return (sums - sums.mean(dim=-1, keepdim=True)) / spread * self.norm.weight + self.norm.bias, weights
    """
}
"""The spread divides by d - 1, as `std` and `var` of torch do unless told otherwise: a norm divides by d."""

padding_attended_to = {", is_word[..., None, None, :])": ")"}
"""`is_word` changes nothing, so that words attend to padding: hide those keys before softmax."""

words_hidden_instead = {
    "found, weights = self.attention(x, x, x, is_word[..., None, None, :])": """
        hidden = ~is_word | is_word.all(dim=-1, keepdim=True)
        found, weights = self.attention(x, x, x, hidden[..., None, None, :])
    """
}
"""The mask is the wrong way round: `is_word` is `False` for padding, and padding is what has to be hidden."""

words_hidden_and_nothing_left = {"is_word[..., None, None, :]": "~is_word[..., None, None, :]"}
"""Words are hidden in place of padding, so that sentences without padding have nothing to look at and become NaN.

Is `is_word` `True` for what is to be seen, or for what is to be hidden?
"""

queries_hidden_instead_of_keys = {"is_word[..., None, None, :]": "is_word[..., None, :, None]"}
"""The rows of padding are hidden where its columns should be: no token may attend *to* padding.

Which of the last two axes of the weights belongs to the keys?
"""

queries_of_padding_hidden_too = {
    "is_word[..., None, None, :]": "is_word[..., None, None, :] & is_word[..., None, :, None]"
}
"""Padding is hidden as a query as well, and its rows are NaN: as a query it may ask what it likes.

A NaN spreads to all that comes into touch with it, in the next layer and in the gradients.
"""

padding_asks_everybody = {
    "is_word[..., None, None, :]": "is_word[..., None, None, :] & is_word[..., None, :, None]",
    "-math.inf": "-1e9",
}
"""Padding is hidden as a query as well, so that its rows weigh all tokens alike: hide padding as a key only."""

padding_given_no_weights = {
    "is_word[..., None, None, :]": "is_word[..., None, None, :] & is_word[..., None, :, None]",
    "weights = torch.softmax(scores, dim=-1)": "weights = torch.softmax(scores, dim=-1).nan_to_num()",
}
"""The rows of padding have weights of 0: only its columns do, and each row sums to 1."""

padding_set_to_zero = {"self.norm(x + found), weights": "self.norm(x + found) * is_word.unsqueeze(-1), weights"}
"""The output of padding is set to 0: nobody reads it, and the text asks for a row like all others."""

mask_without_a_head_axis = {"is_word[..., None, None, :]": "is_word[..., None, :]"}
"""The mask has no axis for the heads, so that sentences are lined up with heads: give it one of length 1.

Where there are as many sentences as heads it does not even fail.
"""

mask_as_it_comes = {"is_word[..., None, None, :]": "is_word"}
"""`is_word` is used as it comes, (b, n), so that sentences are lined up with queries and hide each other's words.

It needs axes of length 1 for the heads and for the queries.
"""

masked_after_softmax = {
    "scores = scores.masked_fill(~mask, -math.inf)": "weights = torch.softmax(scores, dim=-1) * mask",
    "weights = torch.softmax(scores, dim=-1)": "",
}
"""The weights of padding are set to 0 after softmax, so that rows sum to less than 1: hide the scores before."""

scores_of_padding_set_to_zero = {"-math.inf": "0.0"}
"""The scores of padding are set to 0, but exp(0) is 1: they have to be so low that nothing is left of them."""

not_scaled = {" / math.sqrt(k.shape[-1])": ""}
"""The scores are not scaled: divide them by the square root of the width of one head, before softmax."""

scaled_by_the_model_width = {"k.shape[-1]": "queries.shape[-1]"}

heads_split_by_reshape_alone = {
    "projected.reshape(*projected.shape[:-1], self.num_heads, -1).transpose(-3, -2)": """
        projected.reshape(*projected.shape[:-2], self.num_heads, projected.shape[-2], -1)
    """
}
"""The heads are split by `reshape` or `view` alone, so that they get parts of the wrong tokens: swap axes, too."""

heads_merged_by_reshape_alone = {
    "(weights @ v).transpose(-3, -2).flatten(start_dim=-2)": "(weights @ v).reshape(queries.shape)"
}
"""The heads are merged by `reshape` or `view` alone, so that each row mixes up tokens: first swap the axes back."""

output_projection_not_used = {
    "self.Wo((weights @ v).transpose(-3, -2).flatten(start_dim=-2))": """
        (weights @ v).transpose(-3, -2).flatten(start_dim=-2)
    """
}
over_the_queries = {"-math.inf": "torch.finfo(scores.dtype).min", "dim=-1": "dim=-2"}

divided_by_the_size = {"math.sqrt(k.shape[-1])": "k.shape[-1]"}
"""The scores are divided by the width of a head itself: divide by its square root."""

weights_averaged = {"self.norm(x + found), weights": "self.norm(x + found), weights.mean(dim=-3)"}

found_detached = {"x + found": "x + found.detach()"}
"""What attention found is cut off before the sum, so that its weights never learn: no `detach`, no `no_grad`."""

weights_first = {"self.norm(x + found), weights": "weights, self.norm(x + found)"}
weights_not_returned = {"self.norm(x + found), weights": "self.norm(x + found)"}
not_returned = {"return self.norm(x + found), weights": "self.norm(x + found)"}
