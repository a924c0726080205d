"""What hidden suites import besides NumPy and pytest: special inputs, and checks."""

from autograder.judging.values.compare import Mismatch, agrees, as_array, named, parts
from autograder.suite.modules import (
    ALL_DIGITS,
    FLOAT64,
    FLOAT64_SCALED,
    SMALL,
    build,
    build_both,
    build_by_shape,
    causal,
    compare_modules,
    expected_of,
    first_numbers,
    model_to_train,
    pieces_to_read,
    require_final_weights,
    require_learnable,
    require_shares,
    require_small_weights,
    require_weighted_sum,
    tensor,
    tokens_to_norm,
)
from autograder.worker.values import Harness, NewAxes, Stream, Tensor, TextFile
