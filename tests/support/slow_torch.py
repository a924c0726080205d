"""The exercises of Unit 3 once more, as loops over tokens, pairs and numbers: see `slow_reference`.

Inputs are plain Python numbers in nested lists. A module is a function here, whose first argument is its state: the
name of each parameter with its numbers.
"""

from decimal import Decimal
from itertools import count, takewhile

from support import slow_reference
from support.slow_reference import shape_of, turned

# qkv ----------------------------------------------------------------------------------------------------------


def project_qkv(inp, wq, wk, wv):
    return tuple(_projected(inp, turned(matrix), [0] * len(matrix[0])) for matrix in (wq, wk, wv))


def dot_attention(inp, wq, wk, wv):
    return slow_reference.scaled_dot_product_attention(*project_qkv(inp, wq, wk, wv))


def DotProductAttention(state, queries, keys, values, mask=None):
    assert not state
    return slow_reference.scaled_dot_product_attention(queries, keys, values, mask)


def SelfAttention(state, inp):
    return dot_attention(inp, state["wq"], state["wk"], state["wv"])


def TrainableAttention(state, queries, keys, values):
    projected = [_linear(state, *pair) for pair in (("Wq", queries), ("Wk", keys), ("Wv", values))]
    return slow_reference.scaled_dot_product_attention(*projected)


# additive -----------------------------------------------------------------------------------------------------


def additive_scores(queries, keys, ws):
    if len(shape_of(queries)) > 2:
        return [additive_scores(*example, ws) for example in zip(queries, keys, strict=True)]
    return [[_additive_score(query, key, ws) for key in keys] for query in queries]


def _additive_score(query, key, ws):
    score = Decimal(0)
    for q, k, w in zip(query, key, ws, strict=True):
        score += _tanh(Decimal(q) + Decimal(k)) * Decimal(w)
    return score


def AdditiveAttention(state, queries, keys, values):
    (ws,), (shift,) = state["Ws.weight"], state["Ws.bias"]
    scores = additive_scores(_linear(state, "Wq", queries), _linear(state, "Wk", keys), ws)
    weights = slow_reference.batched_softmax(_added(scores, Decimal(shift)))
    return slow_reference.context_vectors(weights, values), weights


# multi_head ---------------------------------------------------------------------------------------------------


def split_heads(x, num_heads):
    if len(shape_of(x)) > 2:
        return [split_heads(example, num_heads) for example in x]
    width = len(x[0]) // num_heads
    return [[[token[head * width + i] for i in range(width)] for token in x] for head in range(num_heads)]


def merge_heads(x):
    if len(shape_of(x)) > 3:
        return [merge_heads(example) for example in x]
    return [[number for head in x for number in head[token]] for token in range(len(x[0]))]


def ConcatMultiHeadAttention(state, inp):
    if len(shape_of(inp)) > 2:
        results = [ConcatMultiHeadAttention(state, example) for example in inp]
        return [output for output, _ in results], [weights for _, weights in results]
    heads = [
        dot_attention(inp, *(state[f"heads.{head}.{name}"] for name in ("wq", "wk", "wv")))
        for head in takewhile(lambda head: f"heads.{head}.wq" in state, count())
    ]
    side_by_side = merge_heads([output for output, _ in heads])
    return slow_reference.context_vectors(side_by_side, state["out"]), [weights for _, weights in heads]


def MultiHeadAttention(state, num_heads, queries, keys, values, mask=None):
    split = [split_heads(_linear(state, *pair), num_heads) for pair in (("Wq", queries), ("Wk", keys), ("Wv", values))]
    output, weights = slow_reference.scaled_dot_product_attention(*split, mask)
    return _linear(state, "Wo", merge_heads(output)), weights


# Parts --------------------------------------------------------------------------------------------------------


def _linear(state, name, tokens):
    return _projected(tokens, state[f"{name}.weight"], state[f"{name}.bias"])


def _projected(tokens, columns, shifts):
    """Each token times each column, plus the column's shift."""
    if len(shape_of(tokens)) > 2:
        return [_projected(example, columns, shifts) for example in tokens]
    return [
        [
            slow_reference.single_dot_attention_score(token, column) + Decimal(shift)
            for column, shift in zip(columns, shifts, strict=True)
        ]
        for token in tokens
    ]


def _added(nested, number):
    return [_added(part, number) for part in nested] if isinstance(nested, list) else nested + number


def _tanh(x):
    up, down = x.exp(), (-x).exp()
    return (up - down) / (up + down)
