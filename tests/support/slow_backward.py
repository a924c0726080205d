"""The exercises of the chapter `backward` once more, without a formula for any gradient.

Each number is pushed by a step in the imaginary direction. Where the loss is analytic its imaginary part is then the
step times the derivative, and no two nearly equal numbers are subtracted: see Squire and Trapp (1998), "Using Complex
Variables to Estimate Derivatives of Real Functions".
"""

import cmath
import math

STEP = 1e-30


def softmax_backward(weights, grad):
    if not isinstance(weights[0][0], float):
        return [softmax_backward(*example) for example in zip(weights, grad, strict=True)]

    def loss(scores):
        return _weighted(map(_softmax, scores), grad)

    return _derivatives(loss, [[math.log(weight) for weight in row] for row in weights])


def attention_backward(q, k, v, grad_output):
    if not isinstance(q[0][0], float):
        examples = zip(q, k, v, grad_output, strict=True)
        return tuple(map(list, zip(*(attention_backward(*example) for example in examples), strict=True)))
    return (
        _derivatives(lambda q: _weighted(_attention(q, k, v), grad_output), q),
        _derivatives(lambda k: _weighted(_attention(q, k, v), grad_output), k),
        _derivatives(lambda v: _weighted(_attention(q, k, v), grad_output), v),
    )


def _attention(q, k, v):
    for query in q:
        weights = _softmax([_dot(query, key) / math.sqrt(len(query)) for key in k])
        yield [_dot(weights, column) for column in zip(*v, strict=True)]


def _softmax(scores):
    largest = max(complex(score).real for score in scores)
    exponentials = [cmath.exp(score - largest) for score in scores]
    return [exponential / sum(exponentials) for exponential in exponentials]


def _dot(one, other):
    return sum(a * b for a, b in zip(one, other, strict=True))


def _weighted(rows, grad):
    return sum(_dot(row, weights) for row, weights in zip(rows, grad, strict=True))


def _derivatives(loss, rows):
    """Of the loss with respect to each number of the rows."""
    found = [[0.0] * len(row) for row in rows]
    for i, row in enumerate(rows):
        for j, number in enumerate(row):
            pushed = [*rows[:i], [*row[:j], number + 1j * STEP, *row[j + 1 :]], *rows[i + 1 :]]
            found[i][j] = loss(pushed).imag / STEP
    return found
