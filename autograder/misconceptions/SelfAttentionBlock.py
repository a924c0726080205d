"""Mistakes seen in answers to SelfAttentionBlock."""

import math

import torch
from torch import nn
from torch.nn import functional


class _Attention(nn.Module):
    """The right attention, each step of which can be replaced."""

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads, self.d_h = num_heads, d_model // num_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (nn.Linear(d_model, d_model) for _ in range(4))

    def split(self, x):
        return x.reshape(*x.shape[:-1], self.num_heads, self.d_h).transpose(-3, -2)

    def merge(self, x):
        return x.transpose(-3, -2).flatten(-2)

    def score(self, q, k):
        return q @ k.transpose(-2, -1) / math.sqrt(self.d_h)

    def weigh(self, scores, mask):
        return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)

    def forward(self, queries, keys, values, mask):
        q, k, v = (self.split(x) for x in (self.Wq(queries), self.Wk(keys), self.Wv(values)))
        weights = self.weigh(self.score(q, k), mask)
        return self.Wo(self.merge(weights @ v)), weights


class _Block(nn.Module):
    """The right block, each step of which can be replaced."""

    attention_type, eps = _Attention, 1e-12

    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attention = self.attention_type(d_model, num_heads)
        self.norm = nn.LayerNorm(d_model, eps=self.eps)

    def mask(self, is_word):
        return is_word[..., None, None, :]

    def forward(self, x, is_word):
        found, weights = self.attention(x, x, x, self.mask(is_word))
        return self.combine(x, found), weights

    def combine(self, x, found):
        return self.norm(x + found)


class token_not_added(_Block):
    """What attention finds replaces the token: it is to be added to it, and the sum normalised."""

    def combine(self, x, found):
        return self.norm(found)


class token_added_after_the_norm(_Block):
    """The norm is taken of what attention found, and the token added behind it: normalise the sum of both."""

    def combine(self, x, found):
        return x + self.norm(found)


class normalised_before_attention(_Block):
    """The norm comes before attention, as in many later models: this one was trained with the norm around the sum.

    Both orders run with the same weights. Which one is in the formula?
    """

    def forward(self, x, is_word):
        normal = self.norm(x)
        found, weights = self.attention(normal, normal, normal, self.mask(is_word))
        return x + found, weights


class not_normalised(_Block):
    """The sum comes back as it is, and grows from layer to layer: it has to go through `norm`."""

    def combine(self, x, found):
        return x + found


class normalised_twice(_Block):
    """The token is normalised before it is added as well: only the sum is."""

    def combine(self, x, found):
        return self.norm(self.norm(x) + found)


class token_added_once_more_after_the_norm(_Block):
    """The token is added to the sum, and once more behind the norm: the norm comes last."""

    def combine(self, x, found):
        return x + self.norm(x + found)


class token_added_twice(_Block):
    """The token is counted twice in the sum: once is what the formula says."""

    def combine(self, x, found):
        return self.norm(x + found + x)


class eps_of_torch(_Block):
    """The norm has torch's usual `eps`, 1e-5: this model was trained with 1e-12, and tokens of small spread show it."""

    eps = 1e-5


class norm_without_its_weights(_Block):
    """The sum is normalised, but weight and bias of `norm` have no part in it: call the module itself."""

    def combine(self, x, found):
        return functional.layer_norm(x + found, x.shape[-1:], eps=1e-12)


class norm_over_the_sentence(_Block):
    """Mean and spread are taken over the whole sentence: every token is normalised on its own."""

    def combine(self, x, found):
        normal = functional.layer_norm(x + found, x.shape[-2:], eps=1e-12)
        return normal * self.norm.weight + self.norm.bias


class norm_over_the_tokens(_Block):
    """Each number is normalised over the tokens: the mean is to be taken over the numbers of one token."""

    def combine(self, x, found):
        sums = x + found
        spread = (sums.var(dim=-2, keepdim=True, correction=0) + 1e-12).sqrt()
        return (sums - sums.mean(dim=-2, keepdim=True)) / spread * self.norm.weight + self.norm.bias


class spread_with_one_less(_Block):
    """The spread divides by d - 1, as `std` and `var` of torch do unless told otherwise: a norm divides by d."""

    def combine(self, x, found):
        sums = x + found
        spread = (sums.var(dim=-1, keepdim=True) + 1e-12).sqrt()
        return (sums - sums.mean(dim=-1, keepdim=True)) / spread * self.norm.weight + self.norm.bias


class _NoMask(_Attention):
    def weigh(self, scores, mask):
        return torch.softmax(scores, dim=-1)


class padding_attended_to(_Block):
    """`is_word` changes nothing, so that words attend to padding: hide those keys before softmax."""

    attention_type = _NoMask


class words_hidden_instead(_Block):
    """The mask is the wrong way round: `is_word` is `False` for padding, and padding is what has to be hidden."""

    def mask(self, is_word):
        return ~is_word[..., None, None, :] | is_word.all(dim=-1)[..., None, None, None]


class words_hidden_and_nothing_left(_Block):
    """Words are hidden in place of padding, so that sentences without padding have nothing to look at and become NaN.

    Is `is_word` `True` for what is to be seen, or for what is to be hidden?
    """

    def mask(self, is_word):
        return ~is_word[..., None, None, :]


class queries_hidden_instead_of_keys(_Block):
    """The rows of padding are hidden where its columns should be: no token may attend *to* padding.

    Which of the last two axes of the weights belongs to the keys?
    """

    def mask(self, is_word):
        return is_word[..., None, :, None]


class queries_of_padding_hidden_too(_Block):
    """Padding is hidden as a query as well, and its rows are NaN: as a query it may ask what it likes.

    A NaN spreads to all that comes into touch with it, in the next layer and in the gradients.
    """

    def mask(self, is_word):
        return is_word[..., None, None, :] & is_word[..., None, :, None]


class _LowFill(_Attention):
    def weigh(self, scores, mask):
        return torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1)


class padding_asks_everybody(_Block):
    """Padding is hidden as a query as well, so that its rows weigh all tokens alike: hide padding as a key only."""

    attention_type = _LowFill

    def mask(self, is_word):
        return is_word[..., None, None, :] & is_word[..., None, :, None]


class _ZeroRows(_Attention):
    def weigh(self, scores, mask):
        return super().weigh(scores, mask).nan_to_num()


class padding_given_no_weights(_Block):
    """The rows of padding have weights of 0: only its columns do, and each row sums to 1."""

    attention_type = _ZeroRows

    def mask(self, is_word):
        return is_word[..., None, None, :] & is_word[..., None, :, None]


class padding_set_to_zero(_Block):
    """The output of padding is set to 0: nobody reads it, and the text asks for a row like all others."""

    def forward(self, x, is_word):
        output, weights = super().forward(x, is_word)
        return output * is_word.unsqueeze(-1), weights


class mask_without_a_head_axis(_Block):
    """The mask has no axis for the heads, so that sentences are lined up with heads: give it one of length 1.

    Where there are as many sentences as heads it does not even fail.
    """

    def mask(self, is_word):
        return is_word[..., None, :]


class mask_as_it_comes(_Block):
    """`is_word` is used as it comes, (b, n), so that sentences are lined up with queries and hide each other's words.

    It needs axes of length 1 for the heads and for the queries.
    """

    def mask(self, is_word):
        return is_word


class _MaskedAfter(_Attention):
    def weigh(self, scores, mask):
        return torch.softmax(scores, dim=-1) * mask


class masked_after_softmax(_Block):
    """The weights of padding are set to 0 after softmax, so that rows sum to less than 1: hide the scores before."""

    attention_type = _MaskedAfter


class _ZeroScores(_Attention):
    def weigh(self, scores, mask):
        return torch.softmax(scores * mask, dim=-1)


class scores_of_padding_set_to_zero(_Block):
    """The scores of padding are set to 0, but exp(0) is 1: they have to be so low that nothing is left of them."""

    attention_type = _ZeroScores


class _NotScaled(_Attention):
    def score(self, q, k):
        return q @ k.transpose(-2, -1)


class not_scaled(_Block):
    """The scores are not scaled: divide them by the square root of the width of one head, before softmax."""

    attention_type = _NotScaled


class _ModelScaled(_Attention):
    def score(self, q, k):
        return super().score(q, k) / math.sqrt(self.num_heads)


class scaled_by_the_model_width(_Block):
    """The scale is the root of d_model: a score adds up the products of one head only, so take the width of a head."""

    attention_type = _ModelScaled


class _Reshaped(_Attention):
    def split(self, x):
        return x.reshape(*x.shape[:-2], self.num_heads, x.shape[-2], self.d_h)


class heads_split_by_reshape_alone(_Block):
    """The heads are split by `reshape` or `view` alone, so that they get parts of the wrong tokens: swap axes, too."""

    attention_type = _Reshaped


class _MergedByReshape(_Attention):
    def merge(self, x):
        return x.reshape(*x.shape[:-3], x.shape[-2], -1)


class heads_merged_by_reshape_alone(_Block):
    """The heads are merged by `reshape` or `view` alone, so that each row mixes up tokens: first swap the axes back."""

    attention_type = _MergedByReshape


class _OutputNotProjected(_Attention):
    def forward(self, queries, keys, values, mask):
        q, k, v = (self.split(x) for x in (self.Wq(queries), self.Wk(keys), self.Wv(values)))
        weights = self.weigh(self.score(q, k), mask)
        return self.merge(weights @ v), weights


class output_projection_not_used(_Block):
    """The layer `Wo` is there, but has no part in the result: the merged heads have to go through it."""

    attention_type = _OutputNotProjected


class _OverQueries(_Attention):
    def weigh(self, scores, mask):
        return torch.softmax(scores.masked_fill(~mask, torch.finfo(scores.dtype).min), dim=-2)


class softmax_over_the_queries(_Block):
    """Softmax runs over the queries, so that columns sum to 1: each query's row should."""

    attention_type = _OverQueries


class _SizeScaled(_Attention):
    def score(self, q, k):
        return super().score(q, k) / math.sqrt(self.d_h)


class divided_by_the_size(_Block):
    """The scores are divided by the width of a head itself: divide by its square root."""

    attention_type = _SizeScaled


class weights_averaged(_Block):
    """The weights are averaged over the heads, and what each head looked at is lost: return those of every head."""

    def forward(self, x, is_word):
        output, weights = super().forward(x, is_word)
        return output, weights.mean(dim=-3)


class found_detached(_Block):
    """What attention found is cut off before the sum, so that its weights never learn: no `detach`, no `no_grad`."""

    def combine(self, x, found):
        return self.norm(x + found.detach())


class weights_first(_Block):
    """The weights are returned first: it is output, then weights."""

    def forward(self, x, is_word):
        return super().forward(x, is_word)[::-1]


class weights_not_returned(_Block):
    """Only the output comes back: return the weights of the heads as well, as `output, weights`."""

    def forward(self, x, is_word):
        return super().forward(x, is_word)[0]


class not_returned(_Block):
    """Output and weights may have been computed, but `forward` does not hand them back: it needs a `return`."""

    def forward(self, x, is_word):
        super().forward(x, is_word)
