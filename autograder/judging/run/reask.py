"""Asks what was asked first once more, with other numbers of the same shapes: none of them short, and then small ones.

Eighths are the same in half precision, rounded to four places, and beside an epsilon; and what was asked once may have
been remembered by its shape, or stand in a global of the notebook. So every exercise is asked this, after the first
test of its suite, whatever that is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.judging.ask.answer import Answer, Reference, in_double_precision
from autograder.judging.ask.call import Call
from autograder.judging.values.leaves import arrays_in, replace_scalars
from autograder.worker.values import Tensor

SCALES = (1.0, 1e-3)  # numbers of the same size as those that were asked, and small ones
FACTOR_RANGE = (0.6, 1.4)  # what each number is multiplied by: signs and zeros stay


def ask_again(answer: Answer, solution: Reference, calls: Sequence[Call], rng: np.random.Generator) -> None:
    """Of a test's calls, ask the first with fractions whose result was compared; `Mismatch` where it is wrong now."""
    all_calls = list(calls)
    call = next((call for call in calls if call.wanted is not None and _has_fractions(call)), None)
    if call is None:
        return
    for scale in SCALES:
        args: Any = other_numbers(call.args, rng, scale)
        if scale != 1 and call.of:
            continue  # what it was made of hides small numbers
        if scale != 1:
            args = in_double_precision(args)  # float32 may leave few digits of them
        all_calls.append(Call(call.name, args, call.kwargs, call.of, call.method))
        reply, expected = answer.reply(all_calls[-1]), solution.after(all_calls)
        reply.equals(type(call.wanted)(*expected) if hasattr(call.wanted, "_fields") else expected)


def other_numbers(value: object, rng: np.random.Generator, scale: float) -> object:
    """Return a value with other fractions; what is whole stays, and weights that sum to 1 still do."""

    def others_of(array: np.ndarray) -> np.ndarray:
        if array.dtype.kind != "f":
            return array
        others = rng.uniform(*FACTOR_RANGE, array.shape) * array
        is_positive = array.ndim and array.size and (array >= 0).all()
        are_weights = is_positive and np.allclose(array.sum(axis=-1), 1, atol=1e-6)
        return (others / others.sum(axis=-1, keepdims=True) if are_weights else scale * others).astype(array.dtype)

    def change(part: object) -> object:
        if isinstance(part, Tensor):
            return replace(part, array=others_of(part.array))
        if isinstance(part, np.ndarray):
            return others_of(part)
        return float(scale * rng.uniform(*FACTOR_RANGE) * part) if isinstance(part, float) else part

    return replace_scalars(value, change)


def _has_fractions(call: Call) -> bool:
    return any(array.size and array.dtype.kind == "f" for array in arrays_in(call.args))
