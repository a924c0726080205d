"""The exercises of the chapter `positions` once more, as loops over places and pairs, turned by complex numbers."""

import cmath


def sinusoidal_positions(n, d):
    return [_dealt_out(_hand(place, pair, d, 10000.0) for pair in range(d // 2)) for place in range(n)]


def rotate(x, positions, base=10000.0):
    if not isinstance(x[0][0], float):
        return [rotate(example, positions, base) for example in x]
    return [_turned(row, place, base) for row, place in zip(x, positions, strict=True)]


def _hand(place, pair, d, base):
    return cmath.exp(1j * place / base ** (2 * pair / d))


def _dealt_out(hands):
    """Sine, the imaginary part, before cosine."""
    return [number for hand in hands for number in (hand.imag, hand.real)]


def _turned(row, place, base):
    pairs = [complex(*row[column : column + 2]) for column in range(0, len(row), 2)]
    turned = [pair * _hand(place, number, len(row), base) for number, pair in enumerate(pairs)]
    return [number for pair in turned for number in (pair.real, pair.imag)]
