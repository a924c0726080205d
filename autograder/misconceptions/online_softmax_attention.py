"""Mistakes seen in answers to online_softmax_attention."""

import math

import torch


def _blocks(k, v, block_size):
    return zip(k.split(block_size, dim=-2), v.split(block_size, dim=-2), strict=True)


def plain_form(q, k, v, block_size):
    """All scores are there at the same time, as in plain attention: the table of queries and keys is what to avoid.

    What do you need to remember of a block of keys when you go on to the next one?
    """
    return torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1) @ v


def blocks_of_queries(q, k, v, block_size):
    """The blocks are made of queries, and each of them meets all keys at once: cut the keys into blocks.

    What is the shape of the scores of one block? Does it depend on the number of keys?
    """
    blocks = q.split(block_size, dim=-2)
    return torch.cat([plain_form(block, k, v, block_size) for block in blocks], dim=-2)


def one_query_at_a_time(q, k, v, block_size):
    """One query at a time meets all keys at once, so that its row is as long as the text: cut the keys into blocks."""
    return blocks_of_queries(q, k, v, 1)


all_keys_scaled = {
    """
        q = q / math.sqrt(q.shape[-1])  # the queries, of which there are few: a scaled copy of all keys is too large
    """: """
        k = k / math.sqrt(q.shape[-1])
    """
}
"""All keys are scaled at once, and the copy of them is too large: scale the queries, or the scores of a block."""

all_copied_block_by_block = {"maximum = q": "k, v = k.clone(), v.clone()\nmaximum = q"}
"""Keys and values are copied as a whole before they are cut into blocks: slices and `split` give views."""


def table_kept_in_pieces(q, k, v, block_size):
    """The scores of all keys are kept until the end, if not in one tensor: that is the table again, in pieces.

    Forget a block before you go on: its part is in the maximum, the sum and the mixture.
    """
    q = q / math.sqrt(q.shape[-1])
    table = [q @ keys.transpose(-2, -1) for keys in k.split(block_size, dim=-2)]
    maximum = table[0].amax(dim=-1, keepdim=True)
    for scores in table[1:]:
        maximum = torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))
    table = [torch.exp(scores - maximum) for scores in table]
    output = sum(weights @ values for weights, values in zip(table, v.split(block_size, dim=-2), strict=True))
    return output / sum(weights.sum(dim=-1, keepdim=True) for weights in table)


output_not_corrected = {"output = correction * output +": "output = output +"}
"""When the maximum grows, the sum is corrected but the mixture is not: both were added up with the old maximum."""

sum_not_corrected = {"total = correction * total +": "total = total +"}
"""When the maximum grows, the mixture is corrected but the sum is not: both were added up with the old maximum."""

nothing_corrected = {
    "total = correction * total +": "total = total +",
    "output = correction * output +": "output = output +",
}
"""When the maximum grows, what was added up before stays as it was: sum and mixture have to be scaled down."""

corrected_the_wrong_way = {
    "torch.exp(maximum - larger), torch": "torch.exp(larger - maximum).nan_to_num(posinf=0.0), torch"
}
"""The factor is turned round: the old maximum minus the new one is what goes into `exp`, a factor of at most 1."""

not_divided = {"output / total": "output"}
"""The mixture is not divided by the sum: without it the weights of a row do not sum to 1."""

no_maximum = {
    "larger = torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))": "larger = maximum",
    "-math.inf": "0.0",
}
"""No maximum is subtracted, so that large scores overflow: keep the largest so far, and correct when it grows."""

maximum_starts_at_zero = {"-math.inf": "0.0"}
"""The maximum starts at 0, so that scores far below it leave nothing but zeros: start below every number."""

one_maximum_for_all_queries = {
    "q.new_full((*q.shape[:-1], 1), -math.inf)  # (..., n_q, 1)": "q.new_tensor(-math.inf)",
    "torch.zeros_like(maximum)": "q.new_zeros(*q.shape[:-1], 1)",
    "scores.amax(dim=-1, keepdim=True)": "scores.max()",
}
"""One maximum serves all queries, so that a row far below it becomes 0 / 0: each query has a maximum of its own."""

maximum_of_the_block_alone = {
    "torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))": "scores.amax(dim=-1, keepdim=True)"
}
"""The maximum of each block replaces the one so far even where it is smaller: take the larger of the two.

Where it is smaller, the factor for what was there before becomes very large.
"""


def a_softmax_for_each_block(q, k, v, block_size):
    """Each block gets a softmax of its own, and the results are averaged: a block counts as much as its scores do."""
    outputs = [plain_form(q, keys, values, block_size) for keys, values in _blocks(k, v, block_size)]
    return sum(outputs) / len(outputs)


def softmaxes_added_up(q, k, v, block_size):
    """Each block gets a softmax of its own, and the results are added up, so that the weights sum to more than 1."""
    return sum(plain_form(q, keys, values, block_size) for keys, values in _blocks(k, v, block_size))


last_block_forgotten = {
    "maximum = q": """
        whole = max(k.shape[-2] // block_size, 1) * block_size
        k, v = k[..., :whole, :], v[..., :whole, :]
        maximum = q
    """
}
"""Keys that do not fill a whole block are forgotten: the last block may be smaller."""

not_scaled = {
    """
        q = q / math.sqrt(q.shape[-1])  # the queries, of which there are few: a scaled copy of all keys is too large
    """: ""
}
divided_by_the_size = {"math.sqrt(q.shape[-1])": "q.shape[-1]"}

scaled_by_the_width_of_values = {"math.sqrt(q.shape[-1])": "math.sqrt(v.shape[-1])"}
"""The scale is the root of the width of the values: a score adds up products of queries and keys, d of them."""

scaled_by_the_block = {"math.sqrt(q.shape[-1])": "math.sqrt(block_size)"}
"""The scale is the root of the block size: it is d, the width of a key, that makes dot products large."""

axes_counted_from_the_front = {
    "zip(k.split(block_size, dim=-2), v.split(block_size, dim=-2), strict=True)": """
        zip(k.split(block_size, dim=0), v.split(block_size, dim=0), strict=True)
    """
}
"""The keys are cut along the first axis, which is a batch axis where there is one: count axes from the end."""

cut_off_from_gradients = {"output / total": "(output / total).detach()"}
"""The results are cut off from the inputs, so that no gradient arrives: leave out `detach` and `no_grad`."""

divided_after_every_block = {
    "output = correction * output + exponentials @ values": """
        output = (correction * output + exponentials @ values) / total
    """,
    "return output / total": "return output",
}
"""The mixture is divided by the sum after every block, and corrected as if it were not: divide once, at the end."""

own_maximum_for_each_block = {
    """
        larger = torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))
        correction, exponentials = torch.exp(maximum - larger), torch.exp(scores - larger)
        total = correction * total
    """: "exponentials = torch.exp(scores - scores.amax(dim=-1, keepdim=True))\ntotal = total",
    "output = correction * output +": "output = output +",
    "maximum = larger": "",
}
"""Each block subtracts its own maximum, and the sums are added as they are: bring them to one maximum first."""
