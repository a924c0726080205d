"""Mistakes seen in answers to online_softmax_attention."""

import math

import torch


def _blocks(k, v, block_size):
    return zip(k.split(block_size, dim=-2), v.split(block_size, dim=-2), strict=True)


def plain_form(q, k, v, block_size):
    """All scores are there at the same time, as in plain attention. The output is right; the memory is what this
    exercise is about.

    What do you need to remember of a block of keys when you go on to the next one?

    No tensor should hold a number for every pair of query and key.
    """
    return torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1) @ v


def blocks_of_queries(q, k, v, block_size):
    """The blocks are made of queries, and each of them meets all keys at once. The output is right.

    What is the shape of the scores of one block? Does it grow with the number of keys?

    The keys should come in blocks, so that the scores of a block do not grow with the text.
    """
    blocks = q.split(block_size, dim=-2)
    return torch.cat([plain_form(block, k, v, block_size) for block in blocks], dim=-2)


def one_query_at_a_time(q, k, v, block_size):
    """One query at a time meets all keys at once, so its row of scores is as long as the text. The output is right.

    What is the shape of the scores of one step? Does it grow with the number of keys?

    The keys should come in blocks, and all queries meet one block at a time.
    """
    return blocks_of_queries(q, k, v, 1)


all_keys_scaled = {
    """
        q = q / math.sqrt(q.shape[-1])  # the queries, of which there are few: a scaled copy of all keys is too large
    """: """
        k = k / math.sqrt(q.shape[-1])
    """
}
"""A new tensor is as large as all keys, as when they are all scaled at once. The output is right.

Which is the largest new tensor that you make? What else could be scaled, and is smaller?

No new tensor should be as large as all keys.
"""

all_copied_block_by_block = {"maximum = q": "k, v = k.clone(), v.clone()\nmaximum = q"}
"""A new tensor is as large as all values, as when keys and values are copied as a whole before they are cut. The output
is right.

Which of your steps copies, and which gives a view? Does a slice, or `split`, copy?

No new tensor should be as large as all keys or all values.
"""


def table_kept_in_pieces(q, k, v, block_size):
    """A number for every query and key is kept until the end, if not in one tensor: that is the table again, in pieces.
    The output is right.

    How many numbers do you hold when the last block has come?

    Of a finished block nothing should be kept but its part in the maximum, the sum and the mixture.
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
"""When the maximum grows, the sum is corrected and the mixture is not. Where the first block has the largest score, it
looks right.

Two keys in blocks of one, scores 0 and 100: what should come out, and what does?

The sum and the mixture should be corrected by the same factor.
"""

sum_not_corrected = {"total = correction * total +": "total = total +"}
"""When the maximum grows, the mixture is corrected and the sum is not. Where the first block has the largest score, it
looks right.

Two keys in blocks of one, scores 0 and 100: what should the sum be after the second?

The sum and the mixture should be corrected by the same factor.
"""

nothing_corrected = {
    "total = correction * total +": "total = total +",
    "output = correction * output +": "output = output +",
}
"""When the maximum grows, what was added up before stays as it was. Where the first block has the largest score, it
looks right.

Two keys in blocks of one, scores 0 and 100: what should come out, and what does?

When the maximum grows, the sum and the mixture should be scaled down to it.
"""

corrected_the_wrong_way = {
    "torch.exp(maximum - larger), torch": "torch.exp(larger - maximum).nan_to_num(posinf=0.0), torch"
}
"""When the maximum grows, what was added up before is made larger, not smaller.

Two keys in blocks of one, scores 0 and 3: is your factor above 1 or below?

The factor should be `exp(old maximum - new maximum)`, at most 1.
"""

not_divided = {"output / total": "output"}
"""The mixture is not divided by the sum, so the weights in it do not sum to 1.

Mix values that are all 1. What should come out?

At the end the mixture should be divided by the sum.
"""

no_maximum = {
    "larger = torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))": "larger = maximum",
    "-math.inf": "0.0",
}
"""No maximum is subtracted, so large scores overflow. For scores near 0 it is right.

Try scores in the thousands.

The largest score so far should be subtracted, and what was added up corrected when it grows.
"""

maximum_starts_at_zero = {"-math.inf": "0.0"}
"""The maximum starts at 0, so where all scores lie far below, all exponentials are 0, and 0 / 0 is NaN. For scores
around 0 it is right.

Try scores near -1000.

The maximum should start below every number.
"""

one_maximum_for_all_queries = {
    "q.new_full((*q.shape[:-1], 1), -math.inf)  # (..., n_q, 1)": "q.new_tensor(-math.inf)",
    "torch.zeros_like(maximum)": "q.new_zeros(*q.shape[:-1], 1)",
    "scores.amax(dim=-1, keepdim=True)": "scores.max()",
}
"""One maximum serves all queries. In a row far below it all exponentials become 0, and 0 / 0 is NaN. With rows of like
size it is right.

Try two queries whose scores are 2000 apart.

Each query should have a maximum of its own.
"""

maximum_of_the_block_alone = {
    "torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))": "scores.amax(dim=-1, keepdim=True)"
}
"""The maximum of each block replaces the one so far even where it is smaller. Then the factor for what was there
is above 1, and overflows where the scores lie far apart.

Two keys in blocks of one, scores 1000 and 0: what is your factor?

The maximum should be the largest score so far.
"""


def a_softmax_for_each_block(q, k, v, block_size):
    """Every block gets its own softmax and all blocks then count alike, so a block of unimportant keys weighs as much
    as the one that matters. With one block nothing shows.

    Two keys in blocks of one, scores 0 and 100: what should come out, and what does?

    A block should count as much as the sum of its exponentials.
    """
    outputs = [plain_form(q, keys, values, block_size) for keys, values in _blocks(k, v, block_size)]
    return sum(outputs) / len(outputs)


def softmaxes_added_up(q, k, v, block_size):
    """Every block gets its own softmax, and the results are added up, so the weights sum to the number of blocks. With
    one block it is right.

    Mix values that are all 1, in blocks of one. What should come out?

    The weights of all blocks together should sum to 1.
    """
    return sum(plain_form(q, keys, values, block_size) for keys, values in _blocks(k, v, block_size))


last_block_forgotten = {
    "maximum = q": """
        whole = max(k.shape[-2] // block_size, 1) * block_size
        k, v = k[..., :whole, :], v[..., :whole, :]
        maximum = q
    """
}
"""Keys that do not fill a whole block are left out. Where the block size divides the number of keys, it is right.

Try 5 keys in blocks of 2, and change the last value.

Every key should count: the last block may be smaller.
"""

not_scaled = {
    """
        q = q / math.sqrt(q.shape[-1])  # the queries, of which there are few: a scaled copy of all keys is too large
    """: ""
}
divided_by_the_size = {"math.sqrt(q.shape[-1])": "q.shape[-1]"}

scaled_by_the_width_of_values = {"math.sqrt(q.shape[-1])": "math.sqrt(v.shape[-1])"}
"""The scale comes from the width of the values. Where they are as wide as the keys, nothing shows.

Make the values wider, and leave queries and keys alone. Should the weights change?

The scale should be the root of the width of the keys.
"""

scaled_by_the_block = {"math.sqrt(q.shape[-1])": "math.sqrt(block_size)"}
"""The scale is the root of the block size, so the output changes with it. With blocks as long as a key is wide, nothing
shows.

Call it with blocks of 1 and of 5. Should the output be the same?

The scale should be the root of the width of the keys.
"""

axes_counted_from_the_front = {
    "zip(k.split(block_size, dim=-2), v.split(block_size, dim=-2), strict=True)": """
        zip(k.split(block_size, dim=0), v.split(block_size, dim=0), strict=True)
    """
}
"""The keys are cut along the first axis. Without a batch that is right; with a batch, the first axis counts sentences.

Call it with a batch of 5, and print the shape of the first block.

The keys should be cut along their last axis but one.
"""

cut_off_from_gradients = {"output / total": "(output / total).detach()"}
"""The numbers are right, but no gradient gets back to the inputs, as after `detach` or under `no_grad`.

Let `q` ask for gradients, and print `requires_grad` of the output.

Gradients should flow back to q, k and v.
"""

divided_after_every_block = {
    "output = correction * output + exponentials @ values": """
        output = (correction * output + exponentials @ values) / total
    """,
    "return output / total": "return output",
}
"""The mixture is divided by the sum after every block, and corrected as if it were not. With one block it is right.

Three keys in blocks of one, with equal scores: what should come out, and what does?

The mixture should be divided once, at the end.
"""

own_maximum_for_each_block = {
    """
        larger = torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))
        correction, exponentials = torch.exp(maximum - larger), torch.exp(scores - larger)
        total = correction * total
    """: "exponentials = torch.exp(scores - scores.amax(dim=-1, keepdim=True))\ntotal = total",
    "output = correction * output +": "output = output +",
    "maximum = larger": "",
}
"""Each block subtracts its own maximum, and the sums are added as they are, so a block of unimportant keys weighs too
much. With one block nothing shows.

Two keys in blocks of one, scores 0 and 100: what should come out, and what does?

All exponentials should be taken with one and the same maximum before they are added.
"""
