"""Rules for all exercises that hidden tests check, in the words that learners read."""

EXAMPLES = "The examples are graded"
SIZES = "other inputs of every size that the exercise allows"
ARRAY_LIKE = "a list, a tuple or an array, also of whole numbers"
ARRAYS_STAY = "Do not change the arrays you are given, and return a new array from each call"
TENSORS_STAY = "Leave the arguments unchanged, and return a new result from each call"
GRADIENTS = "Gradients must flow through the output"
STATE = (
    "At each call, a module uses the current values of its parameters and changes none of them; its state can be saved "
    "and loaded"
)
APART = "Tensors may have been transposed, so that they are not contiguous in memory"
