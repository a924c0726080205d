"""Errors about shapes in words, with the arguments and their axes as the exercise calls them."""

import re

from autograder.judging.observe.contract import named_shapes
from autograder.judging.observe.observe import parameters_of
from autograder.judging.values.leaves import arguments_of, given
from autograder.worker.values import Tensor

LONGEST = 200  # characters of all that is said of an error
_ENDS = "A matrix product adds up the last axis of the left with the last but one, or the only one, of the right"
_COUNTED = ": count axes from the end, -1 and -2: batch axes may stand in front"
_FROM_THE_FRONT = r"(?:unsqueeze|expand_dims)\((?:\w+, *)?\d"  # a new axis at a place counted from there

# (type of the error, pattern of its message, sentence); {0}, {1} are the groups of the pattern.
_SENTENCES = (
    (
        "ValueError",
        r"matmul: .*size (\d+) is different from (\d+)",
        "{ends}: here {1} and {0}.",
    ),
    (
        "ValueError",
        r"shapes .* not aligned: (\d+) \(dim -?\d+\) != (\d+)",
        "{ends}: here {0} and {1}.",
    ),
    (
        "RuntimeError",
        r"mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)",
        "{ends}: here {1} and {2}.",
    ),
    (
        "RuntimeError",
        r"Expected size for first two dimensions of batch2 tensor to be: \[(\d+), (\d+)\] but "
        r"got: \[(\d+), (\d+)\]",
        "In the tensor on the right, the batch axis and the last but one should be {0} and {1}, and are {2} and {3}.",
    ),
    (
        "ValueError|RuntimeError",
        "does not have enough dimensions|both arguments to (?:matmul|linear) need to be at least 1D",
        "A matrix product takes no single numbers.",
    ),
    (
        "RuntimeError",
        r"size mismatch, got (?:input|mat) \(\d+x?(\d*)\)",
        "{ends}.",
    ),
    (
        "ValueError",
        r"operands could not be broadcast together with shapes? (\(.*?\)) (\(.*?\))",
        "Lined up from the right, {0} and {1} have to be equal axis by axis, or 1{front}",
    ),
    (
        "RuntimeError",
        r"The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at "
        r"non-singleton dimension \d+",
        "Lined up from the right, every axis of the two tensors in this line has to be equal in both, or 1: here {0} "
        "of one meets {1} of the other{front}",
    ),
    (
        "ValueError",
        r"too many values to unpack \(expected (\d+)\)",
        "UNPACKED",
    ),
    (
        "ValueError",
        r"not enough values to unpack \(expected (\d+), got (\d+)\)",
        "UNPACKED",
    ),
    (
        "RuntimeError",
        r"number of subscripts in the equation \((\d+)\) does not match the number of dimensions \((\d+)\)",
        "The equation has {0} letters where there are {1} axes: write `...` for the batch axes, "
        "of which there may be none, and no letters.",
    ),
    (
        "ValueError|RuntimeError",
        r"no '\.\.\.' ellipsis|no ellipsis was given",
        "There are more axes here than letters: begin the letters with `...`, for the batch axes.",
    ),
    (
        "ValueError|RuntimeError",
        "(?:einstein sum subscripts string contains too many|fewer dimensions than subscripts|more subscripts)",
        "There are fewer axes here than letters: use `...` for batch axes, of which there may be none.",
    ),
    (
        "RuntimeError",
        "batch1 must be a 3D tensor|Expected 3-dimensional|must be 3D",
        "`bmm` takes exactly one batch axis; `@` takes any number of them.",
    ),
    (
        "IndexError",
        r"Dimension out of range \(expected to be in range of \[-(\d+), \d+\], but got (-?\d+)\)",
        "There is no axis {1} here; the number of axes is {0}{counted}.",
    ),
    (
        "AxisError",
        r"axis (-?\d+) is out of bounds for array of dimension (\d+)",
        "There is no axis {0} here; the number of axes is {1}{counted}.",
    ),
    (
        "ValueError|RuntimeError",
        "negative dimension|Dimension size must be non-negative",
        "A length comes out below 0 here.",
    ),
    (
        "ValueError",
        "axes don't match array",
        "The list of axes is not as long as there are axes: `np.swapaxes(x, -2, -1)` needs no such list.",
    ),
    (
        "RuntimeError",
        "number of dimensions in the tensor input does not match",
        "The list of axes is not as long as there are axes: `transpose(-2, -1)` needs no such list.",
    ),
    (
        "ValueError",
        r"cannot reshape array of size (\d+) into shape \((.*?)\)",
        "{0} numbers cannot be laid out in the shape ({1}).",
    ),
    (
        "RuntimeError",
        r"shape '\[(.*?)\]' is invalid for input of size (\d+)",
        "{1} numbers cannot be laid out in the shape ({0}).",
    ),
    (
        "RuntimeError",
        "view size is not compatible",
        "VIEWED",
    ),
    (
        "RuntimeError",
        r"Sizes of tensors must match except in dimension (\d+). Expected size (\d+) but got size "
        r"(\d+)",
        "`cat` joins along axis {0}; all other axes have to be equal, and here {1} meets {2}.",
    ),
    (
        "RuntimeError",
        r"Tensors must have same number of dimensions: got (\d+) and (\d+)",
        "`cat` joins tensors that have equally many axes, and these have {0} and {1}.",
    ),
    (
        "ValueError",
        "all the input array dimensions except for the concatenation axis must match",
        "`concatenate` joins along one axis; all others have to be equal.",
    ),
    (
        "ValueError",
        "setting an array element with a sequence|inhomogeneous shape",
        "Rows of different lengths make no array.",
    ),
    (
        "RuntimeError",
        r"outer: Expected 1-D argument \w+, but got (\d)-D",
        "`outer` takes two vectors, of one axis each, and one of these has {0}.",
    ),
    (
        "RuntimeError",
        r"1D tensors expected, but got (\d)D and (\d)D",
        "`torch.dot` takes two vectors; `@` takes matrices too, and any batch axes.",
    ),
    (
        "RuntimeError",
        "(?:self|mat2) must be a matrix",
        "`mm` takes two matrices; `@` takes any number of batch axes before them.",
    ),
    (
        "RuntimeError",
        r"t\(\) expects a tensor with <= 2 dimensions",
        "`t` turns a matrix and nothing that has batch axes: `transpose(-2, -1)` swaps the last two.",
    ),
    (
        "RuntimeError",
        r"The expanded size of the tensor \((\d+)\) must match the existing size \((\d+)\) at "
        r"non-singleton dimension \d+\.\s+Target sizes: \[(.*?)\]",
        "The place to fill has the shape ({2}), and what is to fill it has {1} places where that has {0}.",
    ),
    (
        "ValueError",
        r"could not broadcast input array from shape (\(.*?\)) into shape (\(.*?\))",
        "What is written has the shape {0} and the place for it {1}: read sizes from what comes in.",
    ),
    (
        "IndexError",
        r"too many indices for (?:tensor of dimension 0|array: array is 0-dimensional)",
        "One number has no axes to name in an index: was an axis of length 1 lost on the way, as `squeeze()` loses it?",
    ),
    (
        "IndexError",
        r"too many indices for tensor of dimension (\d+)",
        "The index names more axes than there are here, {0}: `...` stands for any number, as in `x[..., 0]`.",
    ),
    (
        "IndexError",
        r"too many indices for array: array is (\d+)-dimensional, but (\d+) were indexed",
        "The index names {1} axes, and the number of axes is {0}: `...` stands for any number, as in `x[..., 0]`.",
    ),
)


def shape_slip(kind, message, text, exercise, call):
    """One sentence about an error that is about shapes, and the shapes of the arguments; or an empty string.

    Parameters
    ----------
    kind, message, text : str
        Type and message of the error, and the line that raised it.
    exercise : autograder.chapters.chapter.Exercise
    call : autograder.judging.calls.Call or None
    """
    for kinds, pattern, sentence in _SENTENCES:
        if re.fullmatch(kinds, kind) and (match := re.search(pattern, message)):
            if sentence == "UNPACKED":
                sentence = _unpacked(text, len(match.groups()) > 1)
            if sentence == "VIEWED":
                sentence = _viewed(exercise, call)
            told = sentence.format(*match.groups(), ends=_ENDS, **_of_places(text, exercise))
            room = LONGEST - len(told) - len(" What came in: .")
            return f"{told} {_arguments(exercise, call, room)}".strip() if told else ""
    return ""


def _unpacked(text, too_few):
    """What to say of ``n, d = x.shape``: other things may be unpacked as well."""
    if re.search(r"\.shape\b|\.size\(\)|np\.shape\(", text):
        return "This line takes a certain number of axes for granted; read sizes from the end, as in `x.shape[-1]`."
    return "There are {0} names, and only {1} to give them." if too_few else "There are more values than the {0} names."


def _of_places(text, exercise):
    """What to say of places that are counted from the front, where batch axes may stand there and where none do."""
    may_be_many = any("..." in shape for shape in named_shapes(exercise.stub).values())
    is_new = may_be_many and re.search(_FROM_THE_FRONT, text)
    return {
        "counted": _COUNTED if may_be_many else ", and they are counted from 0",
        "front": ": is a new axis counted from the front?" if is_new else ".",
    }


def _viewed(exercise, call):
    """What to say of a `view` that is refused: an argument may have come in with its axes swapped."""
    named = arguments_of(call, parameters_of(exercise.stub, exercise.name, call)) if call else {}
    apart = next((name for name, value in named.items() if isinstance(value, Tensor) and value.apart), "")
    if apart:
        return (
            f"`view` cannot lay out {apart} like that, because its numbers lie in another order, as after a "
            "transposition: `reshape` can."
        )
    return "This `view` cannot follow a transposition, because the numbers lie in another order: `reshape` can."


def _arguments(exercise, call, room):
    """The shapes that came in, beside those that the exercise names where there is room for them."""
    if call is None or call.kind != "call":
        return ""
    arrays = given(call, parameters_of(exercise.stub, exercise.name, call))
    shapes = {name: f"{name} {array.shape}" for name, array in arrays.items() if array.ndim}
    named = {name: f" for {axes}" for name, axes in named_shapes(exercise.stub).items()}
    whole = ", ".join(f"{shape}{named.get(name, '')}" for name, shape in shapes.items())
    told = whole if len(whole) <= room else ", ".join(shapes.values())
    return f"What came in: {told}." if told else ""
