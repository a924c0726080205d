"""The exercises of the chapter `efficient` once more, as loops over words, heads and pairs: see `slow_torch`."""

from support import slow_reference, slow_torch
from support.slow_reference import shape_of


def all_at_once(portions):
    """What a cache holds when these have been appended: their words, one portion after the other."""
    if len(shape_of(portions[0])) > 2:
        return [all_at_once(heads) for heads in zip(*portions, strict=True)]
    return [word for portion in portions for word in portion]


def GroupedQueryAttention(state, num_heads, num_kv_heads, queries, keys, values, mask=None):
    group = num_heads // num_kv_heads
    inputs = (("Wq", queries, num_heads), ("Wk", keys, num_kv_heads), ("Wv", values, num_kv_heads))
    q, k, v = (slow_torch.split_heads(slow_torch._linear(state, name, x), heads) for name, x, heads in inputs)
    output, weights = slow_reference.scaled_dot_product_attention(q, _shared(k, group), _shared(v, group), mask)
    return slow_torch._linear(state, "Wo", slow_torch.merge_heads(output)), weights


def _shared(heads, group):
    if len(shape_of(heads)) > 3:
        return [_shared(example, group) for example in heads]
    return [heads[query_head // group] for query_head in range(group * len(heads))]


def sliding_window_mask(n, window):
    return [[column in range(row - window + 1, row + 1) for column in range(n)] for row in range(n)]


def online_softmax_attention(q, k, v, block_size):
    return slow_reference.scaled_dot_product_attention(q, k, v)[0]
