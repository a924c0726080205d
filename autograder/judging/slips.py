"""Python's own errors in words: what the message means for somebody who writes attention.

A sentence is given only where the message leaves no doubt. It reads type, message and line of the error and nothing
of the running answer, which is why it takes no library: *friendly-traceback* explains much more of Python, but from
live frames, inside the answer's process, and knows neither arrays nor tensors.
"""

import difflib
import re

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.text import clean
from autograder.judging.observe.features import texts
from autograder.judging.shape_slips import shape_slip
from autograder.judging.values.show import show

LIBRARIES = "NumPy, PyTorch, Matplotlib and seaborn"
_IMPORTS = {
    "np": "import numpy as np",
    "numpy": "import numpy",
    "torch": "import torch",
    "nn": "from torch import nn",
    "F": "import torch.nn.functional as F",
    "math": "import math",
    "plt": "import matplotlib.pyplot as plt",
    "sns": "import seaborn as sns",
}

# (type of the error, pattern of its message, sentence); {0}, {1} are the groups of the pattern.
_SENTENCES = (
    (
        "IndentationError",
        "unexpected indent",
        "The line begins further to the right than its block.",
    ),
    (
        "IndentationError",
        "unindent does not match",
        "The line begins where no open block begins: align it with one.",
    ),
    (
        "IndentationError",
        "expected an indented block",
        "Something has to stand below that line, indented.",
    ),
    (
        "TabError",
        "",
        "Tabs and spaces are mixed: indent with spaces alone.",
    ),
    (
        "SyntaxError",
        "expected ':'",
        "A line that opens a block, as `if`, `for` and `def` do, ends with a colon.",
    ),
    (
        "SyntaxError",
        r"'(.)' was never closed",
        "The bracket {0} is opened there and closed nowhere.",
    ),
    (
        "SyntaxError",
        r"unmatched '(.)'",
        "The bracket {0} closes nothing: there is one too many, or its partner is missing.",
    ),
    (
        "SyntaxError",
        r"closing parenthesis '(.)' does not match opening parenthesis '(.)'",
        "The bracket {1} is still open where {0} comes.",
    ),
    (
        "SyntaxError",
        "unterminated .*string literal",
        "The quotation mark that ends the text is missing.",
    ),
    (
        "SyntaxError",
        "[Mm]aybe you meant '=='",
        "`=` gives a value to a name; `==` asks whether two are equal.",
    ),
    (
        "SyntaxError",
        "'return' outside function",
        "The `return` stands outside of the function: indent it as the lines of its body.",
    ),
    (
        "SyntaxError",
        "positional argument follows keyword argument",
        "In a call, arguments without a name come before those with one.",
    ),
    (
        "SyntaxError",
        "(?:non-default argument follows default|parameter without a default follows)",
        "Parameters without a default come before those with one.",
    ),
    (
        "SyntaxError",
        "invalid (?:non-printable )?character",
        "There is a character in that line that Python does not know, as text that was copied may hold: type it anew.",
    ),
    (
        "SyntaxError",
        "invalid syntax",
        "Python cannot read that line, or one just before it: is a bracket, a comma or an operator missing?",
    ),
    (
        "UnboundLocalError",
        r"variable '(\w+)'",
        "{0} has no value yet on this way through the function; a name that a function assigns to anywhere is its own.",
    ),
    (
        "TypeError",
        r"unsupported operand type\(s\) for .*'NoneType'",
        "Something is None here: an argument that was left out, or the result of a function without `return`.",
    ),
    (
        "AttributeError",
        "'(list|tuple)' object has no attribute "
        "'(shape|T|mT|sum|mean|max|min|dot|reshape|astype|transpose|ndim|size|dtype|exp|swapaxes|r"
        "avel|view|softmax|unsqueeze|float)'",
        "A Python {0} has no {1}: MAKE.",
    ),
    (
        "TypeError",
        "can't multiply sequence by non-int",
        "A Python list is not multiplied number by number: MAKE.",
    ),
    (
        "TypeError",
        r"unsupported operand type\(s\) for ([^:]+): .*'(list|tuple)'",
        "A Python {1} knows no {0} for its numbers: MAKE.",
    ),
    (
        "TypeError",
        "can only concatenate (list|tuple)",
        "`+` joins a {0} to another: to add up numbers, MAKE.",
    ),
    (
        "TypeError",
        "(list|tuple) indices must be integers or slices, not tuple",
        "A Python {0} takes one index at a time: MAKE.",
    ),
    (
        "AttributeError",
        "'NoneType' object has no attribute '(append|extend|insert|sort|reverse|remove|add|update)'",
        "`{0}` is called on None here, and it gives back None itself: after `x = x.{0}(...)`, x is None.",
    ),
    (
        "AttributeError",
        "'NoneType' object has no attribute",
        "Something is None here: an argument that was left out, or the result of a function without `return`.",
    ),
    (
        "TypeError",
        "'NoneType' object is not (subscriptable|iterable|callable)",
        "Something is None here: an argument that was left out, or the result of a function without `return`.",
    ),
    (
        "TypeError",
        r"'(?:numpy\.)?(ndarray|Tensor|list|dict)' object is not callable",
        "Round brackets call a function, and this is a {0}: an index stands in square brackets.",
    ),
    (
        "AttributeError",
        "'Tensor' object has no attribute '(astype|copy|dot_product|concatenate)'",
        "{0} belongs to NumPy's arrays; a tensor calls it otherwise.",
    ),
    (
        "AttributeError",
        "'numpy.ndarray' object has no attribute 'detach'",
        "A tensor is needed here, as `nn.Parameter` needs one, and this is an array of NumPy.",
    ),
    (
        "AttributeError",
        "'numpy.ndarray' object has no attribute "
        r"'(masked_fill|softmax|unsqueeze|mT|size\(\)|permute|clone|float|long|repeat_interleave)'",
        "{0} belongs to PyTorch's tensors, and this is an array of NumPy.",
    ),
    (
        "AttributeError",
        r"cannot assign \S+ before Module.__init__",
        "`super().__init__()` has to come first in `__init__`.",
    ),
    (
        "RuntimeError",
        "selected index k out of range",
        "More of the largest are asked for than there are numbers.",
    ),
    (
        "RuntimeError",
        "Boolean value of Tensor with more than one value",
        "`if`, `and`, `or` and `not` ask for one truth value, and a tensor has many: ask `is not None`, `.any()` or "
        "`.all()`MASKS.",
    ),
    (
        "ValueError",
        "truth value of an array with more than one element",
        "`if`, `and`, `or` and `not` ask for one truth value, and an array has many: ask `is not None`, `.any()` or "
        "`.all()`MASKS.",
    ),
    (
        "TypeError",
        "'(list|tuple|dict|str|ndarray)' object cannot be interpreted as an integer",
        "A count or a size has to be one integer, and this is a {0}: perhaps its length is meant, or what is in it, "
        "one by one.",
    ),
    (
        "TypeError",
        "unhashable type: '(?:numpy\\.)?(\\w+)'",
        "A {0} can be no key of a dictionary, and cannot be looked up in one.",
    ),
    (
        "ValueError",
        "could not convert string to float",
        "Here is text where a number should be.",
    ),
    (
        "TypeError",
        "exceptions must derive from BaseException",
        "`raise` takes an error, such as ValueError(...).",
    ),
    (
        "TypeError",
        "softmax\\(\\) missing 1 required positional arguments?: \"?'?dim",
        "torch.softmax has to be told along which axis: dim=-1 is the last one.",
    ),
    (
        "TypeError",
        "'(\\w+)' object does not support the context manager protocol",
        "`with` takes what has to be closed, such as an open file, and this is a {0}.",
    ),
    (
        "TypeError",
        "object of type '(\\w+)' has no len\\(\\)",
        "A {0} has no length.",
    ),
    (
        "ValueError",
        "need at least one array to (stack|concatenate)",
        "`{0}` joins what is in a list, and this list is empty.",
    ),
    (
        "RuntimeError|ValueError",
        "expected a non-empty (?:list of Tensors|TensorList)|stack expects a non-empty TensorList",
        "`cat` and `stack` join what is in a list, and this list is empty.",
    ),
    (
        "ValueError",
        r"zero-size array to reduction operation m(?:ax|in)imum|m(?:ax|in)\(\) .*is (?:an )?empty",
        "There is no largest and no smallest of nothing: what came in here is empty.",
    ),
    (
        "EOFError|BdbQuit",
        "",
        "`input` and `breakpoint` wait for somebody at the keyboard, and nobody is there: work with the arguments.",
    ),
    (
        "RuntimeError",
        r"input\(\): lost",
        "`input` waits for somebody at the keyboard, and nobody is there.",
    ),
    (
        "RecursionError",
        "",
        "The function calls itself without end.",
    ),
    (
        "TypeError",
        "'float' object cannot be interpreted as an integer|expected a sequence of integers|of ints, ?but got float",
        "A size or a count has to be an integer: `//` divides to one, `/` never does.",
    ),
    (
        "TypeError",
        r"argument 'input' \(position 1\) must be Tensor, not (int|float)",
        "Torch's functions take tensors, and this is one {0}: `math` has those for numbers, such as `math.sqrt`.",
    ),
    (
        "RuntimeError",
        r"Can't call numpy\(\) on Tensor that requires grad",
        "Gradients end where NumPy begins: stay with PyTorch's own functions.",
    ),
    (
        "RuntimeError",
        "modified by an inplace operation",
        "Something that `backward` still needs was overwritten in place, as `+=` and methods such as `mul_` and "
        "`copy_` do: make a new tensor.",
    ),
    (
        "RuntimeError",
        "(?:leaf Variable|view of a leaf).*in-place",
        "An input or a parameter whose gradient is wanted may not be changed in place: make a new tensor.",
    ),
    (
        "UFuncTypeError|_UFuncOutputCastingError",
        r"from dtype\('float",
        "The array holds integers, and no fraction fits into it: begin with an array of floats.",
    ),
    (
        "RuntimeError",
        "result type Float can't be cast to the desired output type (Long|Int|Bool)",
        "The tensor holds no fractions, and one does not fit into it: begin with floats.",
    ),
    (
        "RuntimeError",
        "(?:expected scalar type|must have the same dtype|same dtype|but found Double|but expected)",
        "Two tensors of different dtypes meet here: make what you create like what came in, with `dtype=x.dtype`.",
    ),
    (
        "IndexError",
        r"boolean index did not match indexed array|The shape of the mask .* does not match the shape of the indexed",
        "A mask that stands as an index is not stretched, its axes have to be as long as those of the array: `where` "
        "stretches it.",
    ),
    (
        "IndexError",
        r"index (-?\d+) is out of bounds for (?:axis|dimension) \d+ with size (\d+)",
        "There is no place {0} on an axis of {1} places, which are counted from 0.",
    ),
    (
        "IndexError",
        "(list|string|tuple) index out of range",
        "The {0} has fewer places than that; they are counted from 0.",
    ),
    (
        "UnicodeDecodeError",
        "",
        'The file holds text in UTF-8: say so where you open it, with encoding="utf-8".',
    ),
    (
        "ZeroDivisionError",
        "",
        "What it divides by is 0 here.",
    ),
    (
        "NotImplementedError",
        'is missing the required "forward" function',
        "The class has no method of the name `forward`, which a module is called by.",
    ),
    (
        "TypeError",
        r"(\w+)\.__init__\(\) takes 1 positional argument but \d+ were given",
        "{0} is made with arguments here and takes none: an object is made first, {0}(), and then called.",
    ),
    (
        "IndexError",
        "invalid index to scalar variable",
        "One number has no places: an index stands behind an array or a list.",
    ),
    (
        "OverflowError",
        "math range error|Result too large|int too large to convert to float",
        "The number is larger than a float can hold: `exp` gets there at 710.",
    ),
    (
        "InternalTorchDynamoError|BackendCompilerFailed|InductorError|TorchRuntimeError|InvalidCxxCompiler",
        "",
        "`torch.compile` does not work where answers are checked: the function itself is enough.",
    ),
    (
        "TypeError",
        r"expected Tensor as element (\d+) in argument 0, but got (\w+)",
        "`cat` and `stack` join tensors, and element {0} is of type {1}: make a tensor of it first.",
    ),
    (
        "RuntimeError",
        r"zero-dimensional tensor \(at position (\d+)\) cannot be concatenated",
        "`cat` joins tensors of at least one axis, and element {0} is one number: `stack` joins these.",
    ),
)


def slip(error, exercise, call=None):
    """One sentence about an error that Python raised, or an empty string.

    Parameters
    ----------
    error : dict
        As the worker described it.
    exercise : autograder.chapters.chapter.Exercise
    call : autograder.judging.calls.Call, optional
        What was asked; None where the file could not be run so far.
    """
    kind, message = error["type"], error["message"]
    text = error["where"][-1][3] if error["where"] else ""
    if text.startswith("raise ") or (kind == "AssertionError" and text.startswith("assert")):
        return _own(kind, text.partition(" ")[0], call)
    if call is not None and call.to_raise == kind:
        return _RIGHT_TYPE.format(kind)
    if text == "" and (sentence := _signature(kind, message, exercise)):
        return sentence
    if sentence := _missing_key(kind, message, call):
        return sentence
    for explain in (_missing_name, _missing_module, _missing_self, _attribute):
        if sentence := explain(kind, message, text, exercise):
            return sentence
    if sentence := shape_slip(kind, message, text, exercise, call):
        return sentence
    for kinds, pattern, sentence in _SENTENCES:
        if re.fullmatch(kinds, kind) and (match := re.search(pattern, message)):
            sentence = sentence.replace("MAKE", _make(exercise)).replace("MASKS", _masks(exercise))
            return sentence.format(*map(clean, match.groups()))
    return ""


_RIGHT_TYPE = "A {} is right here; its message is not."


def _own(kind, statement, call):
    """What to say of an error that the answer raises itself: whether one is asked for here, and which."""
    if call is None:
        return f"This `{statement}` is the answer's own, and it runs before anything is called."
    if call.to_raise == kind:
        return f"This `{statement}` is the answer's own. {_RIGHT_TYPE.format(kind)}"
    if call.to_raise:
        return f"This `{statement}` is the answer's own. To raise is right here, but {call.to_raise} is asked for."
    return f"This `{statement}` is the answer's own, and what is asked for here is a result, not an error."


def _make(exercise):
    """How a list becomes something to calculate with, in the chapter of an exercise."""
    if "torch" in read_chapter(exercise.chapter).libraries:
        return "make a tensor of it first, with torch.tensor or torch.stack"
    return "make an array of it first, with np.asarray"


def _masks(exercise):
    """How masks are joined, in an exercise that has any."""
    return ", and join masks with `&` and `|`" if "mask" in exercise.stub else ""


def _missing_name(kind, message, text, exercise):
    match = re.match(r"name '(\w+)' is not defined", message) if kind == "NameError" else None
    if not match:
        return ""
    name = match[1]
    if name == "self":
        return "`self` is not among the parameters: it is the first of every method."
    if name in _IMPORTS:
        return f"The line `{_IMPORTS[name]}` is missing, or its cell was not run."
    if any(each.name == name for each in read_chapter(exercise.chapter).exercises):
        return f"{name} is an exercise of this chapter, and nothing above defines it."
    for chapter in curriculum.CHAPTERS:
        if chapter != exercise.chapter and any(each.name == name for each in read_chapter(chapter).exercises):
            return f"{name} is an exercise of {chapter}; every chapter stands alone, so write what you need of it here."
    words = re.findall(r"[A-Za-z_]\w*", f"{text} {exercise.stub.partition(':')[0]}")
    words = [word for word in words if word != name]
    close = difflib.get_close_matches(name, words, 1, 0.8)
    return f"Perhaps {close[0]} is meant." if close else f"Nothing gives {name} a value before this line."


def _missing_module(kind, message, text, exercise):
    match = re.match(r"No module named '([\w.]+)'", message) if kind == "ModuleNotFoundError" else None
    return f"{match[1]} is not there: answers have Python's own modules, {LIBRARIES}." if match else ""


def _signature(kind, message, exercise):
    """An answer that takes other arguments than the exercise gives it, which fails before a line of it runs."""
    if kind != "TypeError" or not re.match(rf"{exercise.name}(\.\w+)?\(\) (takes|missing|got an unexpected)", message):
        return ""
    if "were given" in message and exercise.stub.startswith("class"):
        return "Its parameters are not those of the exercise: is `self` the first of them, and are all others there?"
    return "Its parameters are not those of the exercise: take the `def` line as it was given."


def _missing_self(kind, message, text, exercise):
    """A method whose first parameter, the object itself, was taken for an argument."""
    taken = rf"'{exercise.name}'|must be Tensor, not {exercise.name}\b"
    if kind != "TypeError" or not (exercise.stub.startswith("class") and re.search(taken, message)):
        return ""
    return f"An object of the class {exercise.name} stands here: is `self` the first parameter of its methods?"


def _missing_key(kind, message, call):
    """A key with braces in it, a word that is in no dictionary that came in, or one that is nearly there."""
    if kind != "KeyError" or call is None:
        return ""
    key = message.strip("'\"")
    if re.search(r"\{\w+\}", key):
        return "There are braces in this key: is an `f` missing in front of the string?"
    keys = [key for each in call.args if isinstance(each, dict) for key in each if isinstance(key, str)]
    words = [word for each in call.args if not isinstance(each, dict) for text in texts(each) for word in text.split()]
    if keys and key in words and not {key, key.lower()} & {*keys}:
        return f"{show(key)} is in no dictionary that came in: words that are unknown get as far as this line."
    close = difflib.get_close_matches(key, keys, 1, 0.8)
    return f"There is no such key; the one that comes nearest is {show(close[0])}." if close else ""


def _attribute(kind, message, text, exercise):
    match = re.match(r"'(\w+)' object has no attribute '(\w+)'", message) if kind == "AttributeError" else None
    if match and match[1] == exercise.name and f"self.{match[2]}" in text:
        return f"There is no self.{match[2]} here: `__init__` has to assign to that very name."
    return ""
