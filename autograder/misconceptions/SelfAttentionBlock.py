"""Mistakes seen in answers to SelfAttentionBlock."""

token_not_added = {"x + found": "found"}
"""What attention found takes the place of the token: the token itself is lost.

Set `Wo` to zeros, so that attention finds nothing. What should be left?

What attention found should be added to the token, and the sum normalised.
"""

token_added_after_the_norm = {"self.norm(x + found)": "x + self.norm(found)"}
"""The norm is taken of what attention found alone, and the token is added after it.

What are mean and spread of a row of your output, as long as `norm` has its first weights?

The sum of both should be normalised.
"""

normalised_before_attention = {
    "found, weights = self.attention(x, x, x": """
        normal = self.norm(x)
        found, weights = self.attention(normal, normal, normal
    """,
    "self.norm(x + found)": "x + found",
}
"""The norm comes before attention, as in many later models. Both orders run with the same weights.

Which order does the formula in the text have? What are mean and spread of a row of your output?

This model was trained with the norm around the sum, so the norm should come last.
"""

not_normalised = {"self.norm(x + found)": "x + found"}
"""The sum comes back as it is, so it would grow from layer to layer, and `norm` has no part in it.

What are mean and spread of a row of your output?

The sum should go through `norm`.
"""

normalised_twice = {"self.norm(x + found)": "self.norm(self.norm(x) + found)"}
"""The token is normalised before it is added, as well as the sum.

Give the block tokens that are far from mean 0, and compare with the formula.

Only the sum should be normalised.
"""

token_added_once_more_after_the_norm = {"self.norm(x + found)": "x + self.norm(x + found)"}
"""The token is added to the sum, and once more after the norm.

What are mean and spread of a row of your output?

The norm should come last.
"""

token_added_twice = {"x + found": "x + found + x"}
"""The token counts twice in the sum.

Compare your sum with the formula, term by term.

The token should be added once.
"""

eps_of_torch = {", eps=1e-12": ""}
"""The norm divides with torch's usual `eps`, 1e-5. Tokens of small spread show it most.

Print `block.norm`.

The `eps` should be 1e-12, with which this model was trained.
"""

norm_without_its_weights = {"self.norm(x + found)": "nn.functional.layer_norm(x + found, x.shape[-1:], eps=1e-12)"}
"""The sum is normalised, but the weight and the bias of `norm` have no part in it. As long as they are 1 and 0, nothing
shows.

Double `block.norm.weight`. Does the output change?

The sum should go through the module `norm` itself.
"""

norm_over_the_sentence = {
    "return self.norm(x + found), weights": """
        normal = nn.functional.layer_norm(x + found, x.shape[-2:], eps=1e-12)
        return normal * self.norm.weight + self.norm.bias, weights
    """
}
"""Mean and spread are taken over the whole sentence. With a single token it is right.

Of how many numbers do you take the mean, and how many has one token?

Every token should be normalised on its own.
"""

norm_over_the_tokens = {
    "return self.norm(x + found), weights": """
        sums = x + found
        spread = (sums.var(dim=-2, keepdim=True, correction=0) + 1e-12).sqrt()
        return (sums - sums.mean(dim=-2, keepdim=True)) / spread * self.norm.weight + self.norm.bias, weights
    """
}
"""Each number is normalised over the tokens.

What are mean and spread of a row of your output, and of a column?

Mean and spread should be those of the numbers of one token.
"""

spread_with_one_less = {
    "return self.norm(x + found), weights": """
        sums = x + found
        spread = (sums.var(dim=-1, keepdim=True) + 1e-12).sqrt()
        return (sums - sums.mean(dim=-1, keepdim=True)) / spread * self.norm.weight + self.norm.bias, weights
    """
}
"""The spread divides by d - 1, as `std` and `var` of torch do unless told otherwise. In wide tokens it hardly shows.

Compare with `nn.LayerNorm` on a token of four numbers.

The spread of a norm should divide by d.
"""

padding_attended_to = {", is_word[..., None, None, :])": ")"}
"""`is_word` changes nothing, so words attend to padding. In a sentence without padding it is right.

Look at the columns of padding in the weights.

Padding should get no weight as a key.
"""

words_hidden_instead = {
    "found, weights = self.attention(x, x, x, is_word[..., None, None, :])": """
        hidden = ~is_word | is_word.all(dim=-1, keepdim=True)
        found, weights = self.attention(x, x, x, hidden[..., None, None, :])
    """
}
"""The mask is the wrong way round: words are hidden, and padding is seen.

Look at the columns of padding in the weights.

`is_word` is `True` for words, and they should be what is seen.
"""

words_hidden_and_nothing_left = {"is_word[..., None, None, :]": "~is_word[..., None, None, :]"}
"""Words are hidden in place of padding, so a sentence without padding has nothing to look at and becomes NaN.

Is `is_word` `True` for what is to be seen, or for what is to be hidden?

Words should be seen, and padding hidden.
"""

queries_hidden_instead_of_keys = {"is_word[..., None, None, :]": "is_word[..., None, :, None]"}
"""The rows of padding are hidden, and its columns are not: words still attend to padding.

Which of the last two axes of the weights belongs to the keys?

No token should attend to padding.
"""

queries_of_padding_hidden_too = {
    "is_word[..., None, None, :]": "is_word[..., None, None, :] & is_word[..., None, :, None]"
}
"""Padding is hidden as a query, too, so its rows are NaN, which spreads to everything that meets it.

Look at the rows of padding. Does anybody read what they find?

Padding should be hidden as a key only; as a query it may ask what it likes.
"""

padding_asks_everybody = {
    "is_word[..., None, None, :]": "is_word[..., None, None, :] & is_word[..., None, :, None]",
    "-math.inf": "-1e9",
}
"""Padding is hidden as a query, too, so its rows weigh all tokens alike, padding among them.

Look at the rows of padding in the weights, and at its columns.

Padding should be hidden as a key only.
"""

padding_given_no_weights = {
    "is_word[..., None, None, :]": "is_word[..., None, None, :] & is_word[..., None, :, None]",
    "weights = torch.softmax(scores, dim=-1)": "weights = torch.softmax(scores, dim=-1).nan_to_num()",
}
"""The rows of padding have weights of 0. Its columns are right.

Add up the rows of the weights.

Only the columns of padding should be 0, and each row should sum to 1.
"""

padding_set_to_zero = {"self.norm(x + found), weights": "self.norm(x + found) * is_word.unsqueeze(-1), weights"}
"""The output of padding is set to 0. The rows of words are right.

What does the docstring say about the rows of padding?

Padding should have a row like all others; nobody reads it.
"""

mask_without_a_head_axis = {"is_word[..., None, None, :]": "is_word[..., None, :]"}
"""The mask has no axis for the heads, so sentences are lined up with heads. Where there are as many sentences as heads,
it does not even fail.

Write the shapes of the scores and of your mask below each other, lined up at the right.

The mask should have axes of length 1 for the heads and for the queries.
"""

mask_as_it_comes = {"is_word[..., None, None, :]": "is_word"}
"""`is_word` is used as it comes, (b, n), so sentences are lined up with queries: an error, or they hide each other's
words. A single sentence is right.

Write the shapes of the scores and of your mask below each other, lined up at the right.

The mask should have axes of length 1 for the heads and for the queries.
"""

masked_after_softmax = {
    "scores = scores.masked_fill(~mask, -math.inf)": "weights = torch.softmax(scores, dim=-1) * mask",
    "weights = torch.softmax(scores, dim=-1)": "",
}
"""The weights of padding become 0 after softmax has shared 1 out, so their shares are lost to the words. With everyday
scores the proportions of these are right.

Add up the rows of the weights.

Padding should be left out before softmax, so that words share the whole 1.
"""

scores_of_padding_set_to_zero = {"-math.inf": "0.0"}
"""The scores of padding become 0, but `exp(0)` is 1, so padding still gets weight.

Change the numbers of a padding token. Does the row of a word change?

The scores of padding should be so low that nothing is left of their exponentials.
"""

not_scaled = {" / math.sqrt(k.shape[-1])": ""}
"""The scores go into softmax as they are, so the weights come out too sharp, the more so the wider a head is.

Compare your weights with those of your own `MultiHeadAttention` from the chapter on heads.

The scores should be divided by the square root of the width of one head, before softmax.
"""

scaled_by_the_model_width = {"k.shape[-1]": "queries.shape[-1]"}

heads_split_by_reshape_alone = {
    "projected.reshape(*projected.shape[:-1], self.num_heads, -1).transpose(-3, -2)": """
        projected.reshape(*projected.shape[:-2], self.num_heads, projected.shape[-2], -1)
    """
}
"""The heads are split in memory order, as `reshape` or `view` alone reads, so several parts of one token come into
the same head, one below the other. Every shape is right.

Shuffle the tokens. Do the rows of the result still go with them?

Head 0 should get the first part of every token.
"""

heads_merged_by_reshape_alone = {
    "(weights @ v).transpose(-3, -2).flatten(start_dim=-2)": "(weights @ v).reshape(queries.shape)"
}
"""The heads are merged in memory order, as `reshape` or `view` alone reads, so each row mixes several tokens. Every
shape is right.

Shuffle the tokens. Do the rows of the result still go with them?

Row i should hold what all heads found for token i.
"""

output_projection_not_used = {
    "self.Wo((weights @ v).transpose(-3, -2).flatten(start_dim=-2))": """
        (weights @ v).transpose(-3, -2).flatten(start_dim=-2)
    """
}
over_the_queries = {"-math.inf": "torch.finfo(scores.dtype).min", "dim=-1": "dim=-2"}

divided_by_the_size = {"math.sqrt(k.shape[-1])": "k.shape[-1]"}
"""The scores are divided by the whole width of a head, so the weights come out too flat.

By which factor do your scores miss the right ones for heads of width 4, 9 and 16?

The scores should be divided by the square root of the width of a head.
"""

weights_averaged = {"self.norm(x + found), weights": "self.norm(x + found), weights.mean(dim=-3)"}

found_detached = {"x + found": "x + found.detach()"}
"""The numbers are right, but what attention found is cut off before the sum, as after `detach`, so its weights never
learn.

Call `backward()` on the sum of the output's squares, and print `block.attention.Wq.weight.grad`.

Gradients should flow back into the attention.
"""

weights_first = {"self.norm(x + found), weights": "weights, self.norm(x + found)"}
weights_not_returned = {"self.norm(x + found), weights": "self.norm(x + found)"}
not_returned = {"return self.norm(x + found), weights": "self.norm(x + found)"}
