"""All that a hidden suite imports besides NumPy and pytest: inputs that are more than plain values, and comparing."""

from autograder.judging.values.compare import Mismatch, as_array, named, parts
from autograder.suite.modules import (
    SMALL,
    build,
    build_both,
    build_partly,
    can_learn,
    compare_modules,
    expected_of,
    first_numbers,
    has_shares,
    mixes,
    tensor,
)
from autograder.suite.numbers import ALL_DIGITS, FLOAT64, FLOAT64_SCALED, keeps_small_weights
from autograder.worker.values import Harness, NewAxes, Stream, Tensor, TextFile

__all__ = [
    "ALL_DIGITS",
    "FLOAT64",
    "FLOAT64_SCALED",
    "SMALL",
    "Harness",
    "Mismatch",
    "NewAxes",
    "Stream",
    "Tensor",
    "TextFile",
    "as_array",
    "build",
    "build_both",
    "build_partly",
    "can_learn",
    "compare_modules",
    "expected_of",
    "first_numbers",
    "has_shares",
    "keeps_small_weights",
    "mixes",
    "named",
    "parts",
    "tensor",
]
