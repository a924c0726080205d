"""The exercises once more, as slowly and as literally as their texts say them: the loop is the specification.

Inputs are plain Python numbers in nested lists, and so are results. All arithmetic is that of `decimal`: it keeps
twelve digits more than a float64 and reaches beyond e to the power of two million, so softmax is written here as it
stands in the books, without the shift that the solutions need, and rounding is no excuse for a difference.
"""

from decimal import Decimal

# one_query: annotations are columns ---------------------------------------------------------------------------


def single_dot_attention_score(dec_hidden_state, enc_hidden_state):
    score = Decimal(0)
    for state, annotation in zip(dec_hidden_state, enc_hidden_state, strict=True):
        score += Decimal(state) * Decimal(annotation)
    return score


def dot_attention_score(dec_hidden_state, annotations):
    return [single_dot_attention_score(dec_hidden_state, column) for column in turned(annotations)]


def normalize_by_sum(scores):
    total = _sum(scores)
    return [Decimal(score) / total for score in scores]


def softmax(scores):
    return _softmax_over(scores, [True] * len(scores))


def apply_attention_scores(attention_weights, annotations):
    return [
        [Decimal(weight) * Decimal(number) for weight, number in zip(attention_weights, row, strict=True)]
        for row in annotations
    ]


def calculate_attention_vector(applied_attention):
    return [_sum(row) for row in applied_attention]


def attend(dec_hidden_state, annotations):
    weights = softmax(dot_attention_score(dec_hidden_state, annotations))
    return calculate_attention_vector(apply_attention_scores(weights, annotations)), weights


# all_queries: rows are tokens, and a batch is one example after the other -------------------------------------


def attention_scores(queries, keys):
    if len(shape_of(queries)) > 2:
        return [attention_scores(*example) for example in zip(queries, keys, strict=True)]
    return [[single_dot_attention_score(query, key) for key in keys] for query in queries]


def batched_softmax(x, axis=-1):
    n_axes = len(shape_of(x))
    if axis < 0:
        axis += n_axes
    if axis > 0:
        return [batched_softmax(part, axis - 1) for part in x]
    if n_axes == 1:
        return softmax(x)
    return turned([batched_softmax(column, 0) for column in turned(x)])


def context_vectors(attention_weights, values):
    if len(shape_of(values)) > 2:
        return [context_vectors(*example) for example in zip(attention_weights, values, strict=True)]
    return [[single_dot_attention_score(weights, column) for column in turned(values)] for weights in attention_weights]


def simple_self_attention(inputs):
    weights = batched_softmax(attention_scores(inputs, inputs))
    return context_vectors(weights, inputs), weights


def causal_mask(n):
    return [[key <= query for key in range(n)] for query in range(n)]


def padding_mask(lengths, max_length):
    return [[[key < length for key in range(max_length)]] for length in lengths]


def scaled_dot_product_attention(query, key, value, mask=None):
    return _attention(query, key, value, True if mask is None else mask, ())


def _attention(query, key, value, mask, example):
    if len(shape_of(query)) > 2:
        parts = zip(query, key, value, strict=True)
        results = [_attention(*part, mask, (*example, number)) for number, part in enumerate(parts)]
        return [output for output, _ in results], [weights for _, weights in results]
    root = Decimal(len(query[0])).sqrt()
    weights = []
    for i, scores in enumerate(attention_scores(query, key)):
        allowed = [_stretched(mask, (*example, i, j)) for j in range(len(key))]
        weights.append(_softmax_over([score / root for score in scores], allowed))
    return context_vectors(weights, value), weights


# Parts --------------------------------------------------------------------------------------------------------


def _softmax_over(scores, allowed):
    """Softmax of the scores that are allowed; the others, and where there are none all of them, weigh 0."""
    powers = [Decimal(score).exp() if allow else Decimal(0) for score, allow in zip(scores, allowed, strict=True)]
    total = _sum(powers)
    return [power / total if any(allowed) else power for power in powers]


def _sum(numbers):
    total = Decimal(0)
    for number in numbers:
        total += Decimal(number)
    return total


def turned(rows):
    """The columns of nested lists, as lists."""
    return [list(column) for column in zip(*rows, strict=True)]


def shape_of(nested):
    return (len(nested), *shape_of(nested[0])) if isinstance(nested, list) else ()


def _stretched(mask, place):
    """The element of a mask at a place of the weights, axes lined up from the right, those of length 1 stretched."""
    shape = shape_of(mask)
    for length, index in zip(shape, place[len(place) - len(shape) :], strict=True):
        mask = mask[index if length > 1 else 0]
    return mask
