"""Mistakes seen in answers to online_softmax_attention."""

import math

import torch


def _blocks(k, v, block_size):
    return zip(k.split(block_size, dim=-2), v.split(block_size, dim=-2), strict=True)


def _online(q, k, v, block_size, scale=None, start=-math.inf, fix_total=True, fix_output=True, factor=None):
    """The right function, some steps of which can be replaced."""
    q = q / math.sqrt(q.shape[-1]) if scale is None else q * scale
    factor = factor or (lambda old, new: torch.exp(old - new))
    maximum = q.new_full((*q.shape[:-1], 1), start)
    total, output = torch.zeros_like(maximum), q.new_zeros(*q.shape[:-1], v.shape[-1])
    for keys, values in _blocks(k, v, block_size):
        scores = q @ keys.transpose(-2, -1)
        larger = torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))
        exponentials, correction = torch.exp(scores - larger), factor(maximum, larger)
        total = (correction * total if fix_total else total) + exponentials.sum(dim=-1, keepdim=True)
        output = (correction * output if fix_output else output) + exponentials @ values
        maximum = larger
    return output, total


def _divided(*arguments, **options):
    output, total = _online(*arguments, **options)
    return output / total


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


def all_keys_scaled(q, k, v, block_size):
    """All keys are scaled at once, and the copy of them is too large: scale the queries, or the scores of a block."""
    return _divided(q, k / math.sqrt(q.shape[-1]), v, block_size, scale=1.0)


def all_copied_block_by_block(q, k, v, block_size):
    """Keys and values are copied as a whole before they are cut into blocks: slices and `split` give views."""
    return _divided(q, k.clone(), v.clone(), block_size)


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


def output_not_corrected(q, k, v, block_size):
    """When the maximum grows, the sum is corrected but the mixture is not: both were added up with the old maximum."""
    return _divided(q, k, v, block_size, fix_output=False)


def sum_not_corrected(q, k, v, block_size):
    """When the maximum grows, the mixture is corrected but the sum is not: both were added up with the old maximum."""
    return _divided(q, k, v, block_size, fix_total=False)


def nothing_corrected(q, k, v, block_size):
    """When the maximum grows, what was added up before stays as it was: sum and mixture have to be scaled down."""
    return _divided(q, k, v, block_size, fix_total=False, fix_output=False)


def corrected_the_wrong_way(q, k, v, block_size):
    """The factor is turned round: the old maximum minus the new one is what goes into `exp`, a factor of at most 1."""

    def factor(old, new):
        return torch.exp(new - old).nan_to_num(posinf=0.0) if bool(old.isinf().any()) else torch.exp(new - old)

    return _divided(q, k, v, block_size, factor=factor)


def not_divided(q, k, v, block_size):
    """The mixture is not divided by the sum: without it the weights of a row do not sum to 1."""
    return _online(q, k, v, block_size)[0]


def no_maximum(q, k, v, block_size):
    """No maximum is subtracted, so that large scores overflow: keep the largest so far, and correct when it grows."""
    q = q / math.sqrt(q.shape[-1])
    total, output = q.new_zeros(*q.shape[:-1], 1), q.new_zeros(*q.shape[:-1], v.shape[-1])
    for keys, values in _blocks(k, v, block_size):
        exponentials = torch.exp(q @ keys.transpose(-2, -1))
        total, output = total + exponentials.sum(dim=-1, keepdim=True), output + exponentials @ values
    return output / total


def maximum_starts_at_zero(q, k, v, block_size):
    """The maximum starts at 0, so that scores far below it leave nothing but zeros: start below every number."""
    return _divided(q, k, v, block_size, start=0.0)


def one_maximum_for_all_queries(q, k, v, block_size):
    """One maximum serves all queries, so that a row far below it becomes 0 / 0: each query has a maximum of its own."""
    q = q / math.sqrt(q.shape[-1])
    maximum = q.new_tensor(-math.inf)
    total, output = q.new_zeros(*q.shape[:-1], 1), q.new_zeros(*q.shape[:-1], v.shape[-1])
    for keys, values in _blocks(k, v, block_size):
        scores = q @ keys.transpose(-2, -1)
        larger = torch.maximum(maximum, scores.max())
        correction, exponentials = torch.exp(maximum - larger), torch.exp(scores - larger)
        total = correction * total + exponentials.sum(dim=-1, keepdim=True)
        output, maximum = correction * output + exponentials @ values, larger
    return output / total


def maximum_of_the_block_alone(q, k, v, block_size):
    """The maximum of each block replaces the one so far even where it is smaller: take the larger of the two.

    Where it is smaller, the factor for what was there before becomes very large.
    """
    q = q / math.sqrt(q.shape[-1])
    maximum = q.new_full((*q.shape[:-1], 1), -math.inf)
    total, output = torch.zeros_like(maximum), q.new_zeros(*q.shape[:-1], v.shape[-1])
    for keys, values in _blocks(k, v, block_size):
        scores = q @ keys.transpose(-2, -1)
        highest = scores.amax(dim=-1, keepdim=True)
        correction, exponentials = torch.exp(maximum - highest), torch.exp(scores - highest)
        total = correction * total + exponentials.sum(dim=-1, keepdim=True)
        output, maximum = correction * output + exponentials @ values, highest
    return output / total


def a_softmax_for_each_block(q, k, v, block_size):
    """Each block gets a softmax of its own, and the results are averaged: a block counts as much as its scores do."""
    outputs = [plain_form(q, keys, values, block_size) for keys, values in _blocks(k, v, block_size)]
    return sum(outputs) / len(outputs)


def softmaxes_added_up(q, k, v, block_size):
    """Each block gets a softmax of its own, and the results are added up, so that the weights sum to more than 1."""
    return sum(plain_form(q, keys, values, block_size) for keys, values in _blocks(k, v, block_size))


def last_block_forgotten(q, k, v, block_size):
    """Keys that do not fill a whole block are forgotten: the last block may be smaller."""
    whole = max(k.shape[-2] // block_size, 1) * block_size
    return _divided(q, k[..., :whole, :], v[..., :whole, :], block_size)


def not_scaled(q, k, v, block_size):
    """The scores are not scaled: divide them by the square root of d."""
    return _divided(q, k, v, block_size, scale=1.0)


def divided_by_the_size(q, k, v, block_size):
    """The scores are divided by d itself: divide by its square root."""
    return _divided(q, k, v, block_size, scale=1 / q.shape[-1])


def scaled_by_the_width_of_values(q, k, v, block_size):
    """The scale is the root of the width of the values: a score adds up products of queries and keys, d of them."""
    return _divided(q, k, v, block_size, scale=1 / math.sqrt(v.shape[-1]))


def scaled_by_the_block(q, k, v, block_size):
    """The scale is the root of the block size: it is d, the width of a key, that makes dot products large."""
    return _divided(q, k, v, block_size, scale=1 / math.sqrt(block_size))


def axes_counted_from_the_front(q, k, v, block_size):
    """The keys are cut along the first axis, which is a batch axis where there is one: count axes from the end."""
    q = q / math.sqrt(q.shape[-1])
    maximum = q.new_full((*q.shape[:-1], 1), -math.inf)
    total, output = torch.zeros_like(maximum), q.new_zeros(*q.shape[:-1], v.shape[-1])
    for start in range(0, k.shape[0], block_size):
        scores = q @ k[start : start + block_size].transpose(-2, -1)
        larger = torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))
        correction, exponentials = torch.exp(maximum - larger), torch.exp(scores - larger)
        total = correction * total + exponentials.sum(dim=-1, keepdim=True)
        output, maximum = correction * output + exponentials @ v[start : start + block_size], larger
    return output / total


def cut_off_from_gradients(q, k, v, block_size):
    """The results are cut off from the inputs, so that no gradient arrives: leave out `detach` and `no_grad`."""
    return _divided(q, k, v, block_size).detach()


def divided_after_every_block(q, k, v, block_size):
    """The mixture is divided by the sum after every block, and corrected as if it were not: divide once, at the end."""
    q = q / math.sqrt(q.shape[-1])
    maximum, total, output = q.new_full((*q.shape[:-1], 1), -math.inf), 0, 0
    for keys, values in _blocks(k, v, block_size):
        scores = q @ keys.transpose(-2, -1)
        larger = torch.maximum(maximum, scores.amax(dim=-1, keepdim=True))
        exponentials, correction = torch.exp(scores - larger), torch.exp(maximum - larger)
        total = correction * total + exponentials.sum(dim=-1, keepdim=True)
        output = (correction * output + exponentials @ values) / total
        maximum = larger
    return output


def own_maximum_for_each_block(q, k, v, block_size):
    """Each block subtracts its own maximum, and the sums are added as they are: bring them to one maximum first."""
    total, output = 0, 0
    for keys, values in _blocks(k, v, block_size):
        scores = q @ keys.transpose(-2, -1) / math.sqrt(q.shape[-1])
        exponentials = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
        total, output = total + exponentials.sum(dim=-1, keepdim=True), output + exponentials @ values
    return output / total
