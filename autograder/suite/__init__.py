"""Special inputs, tolerances and house rules for hidden suites. Tools for modules are in `suite.modules`."""

from autograder.judging.values.compare import Mismatch, agrees, as_array, named, parts
from autograder.judging.values.same import ALL_DIGITS, FLOAT64, FLOAT64_SCALED
from autograder.worker.values import Harness, NewAxes, Stream, Tensor, TextFile

# Rules for all exercises that hidden tests check, in the words that learners read.
EXAMPLES = "Your code is tested on the examples"
SIZES = "other inputs of every size that the exercise allows"
ARRAY_LIKE = "If an argument is `array_like`, it may be a list, a tuple or an array. Its numbers may be whole numbers"
ARRAYS_STAY = "Do not change the arrays you are given, and return a new array from each call"
TENSORS_STAY = "Leave the arguments unchanged, and return a new result from each call"
GRADIENTS = "Gradients must flow through the output"
STATE = (
    "At each call, a module uses the current values of its parameters and changes none of them; its state can be saved "
    "and loaded"
)
APART = "Tensors may have been transposed, so that their numbers are not in order in memory"
