"""Errors of Python, NumPy and torch in words: what the message means for somebody who writes attention.

A sentence is given only where the message leaves no doubt. It is made of type, message and line of the error and of
nothing of the running answer, which is why it takes no library: *friendly-traceback* explains much more of Python, but
from live frames, inside the answer's process, and knows neither arrays nor tensors.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from autograder.chapters.chapter import Exercise
from autograder.chapters.text import clean
from autograder.judging.ask.call import Call
from autograder.judging.explain.failure import Failure

MAX_SHAPES_LENGTH = 200  # characters of all that is said of an error about shapes
_IS_NONE = "Something is None here: an argument that was left out, or the result of a function without `return`."
_PRODUCT = "A matrix product adds up the last axis of the left with the last but one, or the only one, of the right"
_OF_ARRAYS = (
    "shape|T|mT|sum|mean|max|min|dot|reshape|astype|transpose|ndim|size|dtype|exp|swapaxes|ravel|view|softmax|"
    "unsqueeze|float"
)
_FUNCTION = "'(?:builtin_function_or_method|function|method|method-wrapper|method_descriptor|_ArrayFunctionDispatcher)'"


@dataclass(frozen=True)
class Row:
    """The types of the error and a pattern of its message; code that raises it; what is said of it.

    In a sentence, ``{0}`` and ``{1}`` are the groups of the pattern and ``{failure.NAME}`` is a property of `Failure`;
    a function takes the failure. A row whose sentence is empty is passed over.
    """

    error: str
    pattern: str
    example: str  # `x` is an array and `t` a tensor of shape (2, 3), `row` a list of three numbers
    sentence: str | Callable[[Failure], str]
    line: str = ""  # a pattern of the line that raised it

    def explain(self, failure: Failure) -> str:
        match = re.search(self.pattern, failure.message)
        if not (match and re.fullmatch(self.error, failure.kind) and re.search(self.line, failure.line)):
            return ""
        failure = replace(failure, groups=match.groups(""))
        if callable(self.sentence):
            return self.sentence(failure)
        return self.sentence.format(*map(clean, failure.groups), failure=failure)


# fmt: off
_OF_NAMES = (
    Row("NameError", r"^name '(\w+)' is not defined(?:\. Did you mean: '(\w+)')?", "valeus = row; values",
        Failure.missing_name),
    Row("ModuleNotFoundError", r"No module named '([\w.]+)'", "import einops",
        Failure.missing_module),
    Row("TypeError", "", "class SelfAttention: pass\nt @ SelfAttention()",
        Failure.missing_self),
    Row("AttributeError", r"'(\w+)' object has no attribute '(\w+)'",
        "class SelfAttention:\n    def __init__(self): self.w_q\nSelfAttention()", Failure.missing_attribute),
    Row("KeyError", "", "{'layer.0': 1}['layer.{n}']", Failure.missing_key),
)
_OF_SHAPES = (
    Row("ValueError", r"matmul: .*size (\d+) is different from (\d+)", "x @ x",
        f"{_PRODUCT}: here {{1}} and {{0}}."),
    Row("ValueError", r"shapes .* not aligned: (\d+) \(dim -?\d+\) != (\d+)", "x.dot(x)",
        f"{_PRODUCT}: here {{0}} and {{1}}."),
    Row("RuntimeError", r"mat1 and mat2 shapes cannot be multiplied \(\d+x(\d+) and (\d+)x\d+\)", "t @ t",
        f"{_PRODUCT}: here {{0}} and {{1}}."),
    Row("RuntimeError", r"first two dimensions of batch2 tensor to be: \[(\d+), (\d+)\] but got: \[(\d+), (\d+)\]",
        "t[None] @ t[None]",
        "In the tensor on the right, the batch axis and the last but one should be {0} and {1}, and are {2} and {3}."),
    Row("ValueError|RuntimeError",
        "does not have enough dimensions|both arguments to (?:matmul|linear) need to be at least 1D", "x @ x[0, 0]",
        "A matrix product takes no single numbers."),
    Row("RuntimeError", r"size mismatch, got (?:input|mat) \(\d+x?(\d*)\)", "t @ t[:, 0]",
        f"{_PRODUCT}."),
    Row("ValueError", r"operands could not be broadcast together with shapes? (\(.*?\)) (\(.*?\))", "x + x.T",
        "Lined up from the right, {0} and {1} have to be equal axis by axis, or 1{failure.new_axis}"),
    Row("RuntimeError", r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at non-singleton",
        "t + t.T",
        "Lined up from the right, every axis of the two tensors in this line has to be equal in both, or 1: here {0} "
        "of one meets {1} of the other{failure.new_axis}"),
    Row("ValueError", "operands could not be broadcast together with remapped shapes", "np.einsum('ij,kj->ik', x, x.T)",
        Failure.letter_of_two_lengths),
    Row("RuntimeError", r"subscript (\w) has size (\d+) for operand .* previously seen size (\d+)",
        "torch.einsum('ij,kj->ik', t, t.T)",
        "In the equation, the letter {0} stands for axes of two lengths, {2} and {1}."),
    Row("ValueError", r"too many values to unpack \(expected (\d+)", "(n,) = x.shape",
        Failure.unpacked),
    Row("ValueError", r"not enough values to unpack \(expected (\d+), got (\d+)\)", "a, b = row[:1]",
        Failure.unpacked),
    Row("RuntimeError",
        r"number of subscripts in the equation \((\d+)\) does not match the number of dimensions \((\d+)\)",
        "torch.einsum('bij->bi', t)",
        "The equation has {0} letters where there are {1} axes: write `...` for the batch axes, of which there may "
        "be none, and no letters."),
    Row("ValueError|RuntimeError", r"no '\.\.\.' ellipsis|no ellipsis was given", "np.einsum('i->i', x)",
        "There are more axes here than letters: begin the letters with `...`, for the batch axes."),
    Row("ValueError|RuntimeError",
        "einstein sum subscripts string contains too many|fewer dimensions than subscripts|more subscripts",
        "np.einsum('bij->b', x)",
        "There are fewer axes here than letters: use `...` for batch axes, of which there may be none."),
    Row("RuntimeError", "batch1 must be a 3D tensor|Expected 3-dimensional|must be 3D", "torch.bmm(t, t)",
        "`bmm` takes exactly one batch axis; `@` takes any number of them."),
    Row("IndexError", r"Dimension out of range \(expected to be in range of \[-(\d+), \d+\], but got (-?\d+)\)",
        "t.sum(2)", "There is no axis {1} here; the number of axes is {0}{failure.counting_axes}."),
    Row("AxisError", r"axis (-?\d+) is out of bounds for array of dimension (\d+)", "x.sum(axis=2)",
        "There is no axis {0} here; the number of axes is {1}{failure.counting_axes}."),
    Row("ValueError|RuntimeError", "negative dimension|Dimension size must be non-negative", "np.zeros(-1)",
        "A length comes out below 0 here."),
    Row("ValueError", "axes don't match array", "x.transpose(0, 2, 1)",
        "The list of axes is not as long as there are axes: `np.swapaxes(x, -2, -1)` needs no such list."),
    Row("RuntimeError", "number of dimensions in the tensor input does not match", "t.permute(0, 2, 1)",
        "The list of axes is not as long as there are axes: `transpose(-2, -1)` needs no such list."),
    Row("ValueError", r"cannot reshape array of size (\d+) into shape \((.*?)\)", "x.reshape(4, 4)",
        "{0} numbers cannot be laid out in the shape ({1})."),
    Row("RuntimeError", r"shape '\[(.*?)\]' is invalid for input of size (\d+)", "t.view(4, -1)",
        "{1} numbers cannot be laid out in the shape ({0})."),
    Row("RuntimeError", "view size is not compatible", "t.T.view(6)", Failure.viewed),
    Row("RuntimeError",
        r"Sizes of tensors must match except in dimension (\d+). Expected size (\d+) but got size (\d+)",
        "torch.cat([t, t.T])",
        "`cat` joins along axis {0}; all other axes have to be equal, and here {1} meets {2}."),
    Row("RuntimeError", r"Tensors must have same number of dimensions: got (\d+) and (\d+)", "torch.cat([t, t[0]])",
        "`cat` joins tensors that have equally many axes, and these have {0} and {1}."),
    Row("ValueError", "all the input array dimensions except for the concatenation axis must match",
        "np.concatenate([x, x.T])",
        "`concatenate` joins along one axis; all others have to be equal."),
    Row("ValueError", "setting an array element with a sequence|inhomogeneous shape", "np.array([[1], [1, 2]])",
        "Rows of different lengths make no array."),
    Row("RuntimeError", r"outer: Expected 1-D argument \w+, but got (\d)-D", "torch.outer(t, t)",
        "`outer` takes two vectors, of one axis each, and one of these has {0}."),
    Row("RuntimeError", r"1D tensors expected, but got (\d)D and (\d)D", "torch.dot(t, t)",
        "`torch.dot` takes two vectors; `@` takes matrices too, and any batch axes."),
    Row("RuntimeError", "(?:self|mat2) must be a matrix", "torch.mm(t[0], t)",
        "`mm` takes two matrices; `@` takes any number of batch axes before them."),
    Row("RuntimeError", r"t\(\) expects a tensor with <= 2 dimensions", "t[None].t()",
        "`t` turns a matrix and nothing that has batch axes: `transpose(-2, -1)` swaps the last two."),
    Row("RuntimeError",
        r"expanded size of the tensor \((\d+)\) must match the existing size \((\d+)\) .*Target sizes: \[(.*?)\]",
        "t[:] = torch.ones(2, 9)",
        "The place to fill has the shape ({2}), and what is to fill it has {1} places where that has {0}."),
    Row("ValueError", r"could not broadcast input array from shape (\(.*?\)) into shape (\(.*?\))", "x[:] = np.ones(5)",
        "What is written has the shape {0} and the place for it {1}: read sizes from what comes in."),
    Row("IndexError", r"too many indices for (?:tensor of dimension 0|array: array is 0-dimensional)", "t.sum()[0, :]",
        "One number has no axes to name in an index: was an axis of length 1 lost on the way, as `squeeze()` loses "
        "it?"),
    Row("IndexError", r"too many indices for tensor of dimension (\d+)", "t[:, None, :, :]",
        "The index names more axes than there are here, {0}: `...` stands for any number, as in `x[..., 0]`."),
    Row("IndexError", r"too many indices for array: array is (\d+)-dimensional, but (\d+) were indexed",
        "x[:, None, :, :]",
        "The index names {1} axes, and the number of axes is {0}: `...` stands for any number, as in `x[..., 0]`."),
)
_OF_SYNTAX = (
    Row("SyntaxError|IndentationError", "", "```python\nx = 1\n```",
        "The three marks around code that was copied are no Python: take out the lines that begin with ```.",
        line=r"^(?:```|~~~)"),
    Row("SyntaxError|IndentationError", "", ">>>>>>> main",
        "Two versions of the file are joined here, and nobody has chosen: keep one, and take out the lines of marks "
        "(<<<<<<<, =======, >>>>>>>).", line=r"^(?:<{7}|={7}|>{7})(?:\s|$)"),
    Row("SyntaxError|IndentationError", "", ">>> x + 1",
        "The marks in front of the line come from an example that was copied: take `>>>` and `...` out.",
        line=r"^(?:>>>|\.\.\.|In \[\d*\]:)\s"),
    Row("IndentationError", "unexpected indent", "x = 1\n  y = 2",
        "The line begins further to the right than its block."),
    Row("IndentationError", "unindent does not match", "if row:\n    y = 1\n  y = 2",
        "The line begins where no open block begins: align it with one."),
    Row("IndentationError", "expected an indented block", "if row:\ny = 1",
        "Something has to stand below that line, indented."),
    Row("TabError", "", "if row:\n        y = 1\n\ty = 2",
        "Tabs and spaces are mixed: indent with spaces alone."),
    Row("SyntaxError", "expected ':'", "if row\n    pass",
        "A line that opens a block, as `if`, `for` and `def` do, ends with a colon."),
    Row("SyntaxError", r"'(.)' was never closed", "y = (row\n",
        "The bracket {0} is opened there and closed nowhere."),
    Row("SyntaxError", r"unmatched '(.)'", "y = row)",
        "The bracket {0} closes nothing: there is one too many, or its partner is missing."),
    Row("SyntaxError", r"closing parenthesis '(.)' does not match opening parenthesis '(.)'", "y = (row]",
        "The bracket {1} is still open where {0} comes."),
    Row("SyntaxError", "unterminated .*string literal", "print('row)",
        "The quotation mark that ends the text is missing."),
    Row("SyntaxError", "[Mm]aybe you meant '=='", "if row = 1:\n    pass",
        "`=` gives a value to a name; `==` asks whether two are equal."),
    Row("SyntaxError", "'return' outside function", "return row",
        "The `return` stands outside of the function: indent it as the lines of its body."),
    Row("SyntaxError", "positional argument follows keyword argument", "print(end='', row)",
        "In a call, arguments without a name come before those with one."),
    Row("SyntaxError", "non-default argument follows default|parameter without a default follows",
        "def f(a=1, b): pass", "Parameters without a default come before those with one."),
    Row("SyntaxError", "invalid (?:non-printable )?character", "y = 3 \u2212 1",
        "There is a character in that line that Python does not know, as text that was copied may hold: type it anew."),
    Row("SyntaxError", "invalid syntax", "y = 3 +",
        "Python cannot read that line, or one just before it: is a bracket, a comma or an operator missing?"),
)
_OF_PYTHON = (
    Row("TypeError|UFuncTypeError|_UFuncNoLoopError",
        rf"{_FUNCTION} and '|and {_FUNCTION}|(?:not|for .*:|argument of type) {_FUNCTION}|"
        rf"^{_FUNCTION} object is not (?:subscriptable|iterable)", "x / x.sum",
        "A function stands here that is not called: a call has round brackets behind the name."),
    Row("AttributeError", rf"^{_FUNCTION} object has no attribute '(?:{_OF_ARRAYS})'", "x.max.T",
        "A function stands here that is not called: a call has round brackets behind the name."),
    Row("TypeError", "got an unexpected keyword argument '(?:dim|axis)'", "x.sum(dim=-1)",
        "This function knows no argument of that name: NumPy calls it `axis`, and PyTorch `dim`."),
    Row("TypeError", "got an unexpected keyword argument '(?:keepdims?)'", "x.max(axis=0, keepdim=True)",
        "This function knows no argument of that name: NumPy calls it `keepdims`, and PyTorch `keepdim`."),
    Row("TypeError", r"Cannot interpret '(\d+)' as a data type", "np.ones(4, 4)",
        "What follows a shape is a dtype, and {0} is none: a shape of several axes has brackets of its own, as in "
        "`np.ones((n, n))`."),
    Row("TypeError|ValueError|RuntimeError",
        r"only .* arrays can be converted|only one element tensors|Tensor with \d+ elements cannot be converted|"
        "(?:must be|or a) real number, not '?(?:list|tuple|ndarray|Tensor)'?$", "math.exp(x)", Failure.one_number),
    Row("UnboundLocalError", r"variable '(\w+)'", "def f():\n    y = y + 1\nf()",
        "{0} has no value yet on this way through the function; a name that a function assigns to anywhere is its "
        "own."),
    Row("TypeError", r"unsupported operand type\(s\) for .*'NoneType'", "None - x", _IS_NONE),
    Row("AttributeError", f"'(list|tuple)' object has no attribute '({_OF_ARRAYS})'", "row.sum()",
        "A Python {0} has no {1}: {failure.conversion}."),
    Row("TypeError", "can't multiply sequence by non-int", "row * [1.0]",
        "A Python list is not multiplied number by number: {failure.conversion}."),
    Row("TypeError", r"unsupported operand type\(s\) for ([^:]+): .*'(list|tuple)'", "row - 1.0",
        "A Python {1} knows no {0} for its numbers: {failure.conversion}."),
    Row("TypeError", "can only concatenate (list|tuple)", "row + 1.0",
        "`+` joins a {0} to another: to add up numbers, {failure.conversion}."),
    Row("TypeError", "(list|tuple) indices must be integers or slices, not tuple", "row[0, 1]",
        "A Python {0} takes one index at a time: {failure.conversion}."),
    Row("AttributeError", "'NoneType' object has no attribute '(append|extend|insert|sort|reverse|remove|add|update)'",
        "for y in row: row = row.append(y)",
        "`{0}` is called on None here, and it gives back None itself: after `x = x.{0}(...)`, x is None."),
    Row("AttributeError", "'NoneType' object has no attribute", "None.shape", _IS_NONE),
    Row("TypeError", "'NoneType' object is not (?:subscriptable|iterable|callable)", "y = None; y[0]",
        _IS_NONE),
    Row("TypeError", r"'(?:numpy\.)?(ndarray|Tensor|list|dict)' object is not callable", "x(0)",
        "Round brackets call a function, and this is a {0}: an index stands in square brackets."),
    Row("AttributeError", "'Tensor' object has no attribute '(astype|copy|dot_product|concatenate)'", "t.astype(float)",
        "{0} belongs to NumPy's arrays; a tensor calls it otherwise."),
    Row("AttributeError", "'numpy.ndarray' object has no attribute 'detach'", "nn.Parameter(x)",
        "A tensor is needed here, as `nn.Parameter` needs one, and this is an array of NumPy."),
    Row("AttributeError",
        r"'numpy.ndarray' object has no attribute '(masked_fill|softmax|unsqueeze|mT|permute|clone|float|long|"
        "repeat_interleave|dim|numel|t|cat|matmul|exp|sqrt|tanh)'", "x.clone()",
        "{0} belongs to PyTorch's tensors, and this is an array of NumPy."),
    Row("AttributeError", r"has no attribute '\w+'\. Did you mean: '(\w+)'", "np.squrt(x)",
        "Perhaps {0} is meant."),
    Row("AttributeError", r"cannot assign \S+ before Module.__init__",
        "class M(nn.Module):\n    def __init__(self): self.w = nn.Linear(1, 1)\nM()",
        "`super().__init__()` has to come first in `__init__`."),
    Row("RuntimeError", "selected index k out of range", "t.topk(99)",
        "More of the largest are asked for than there are numbers."),
    Row("RuntimeError|ValueError",
        "Boolean value of (Tensor) with more than one value|truth value of an (array) with more than one element",
        "if x > 0: pass",
        "`if`, `and`, `or` and `not` ask for one truth value, and here are many: ask `is not None`, `.any()` or "
        "`.all()`{failure.joining_masks}."),
    Row("TypeError", "'(list|tuple|dict|str|ndarray)' object cannot be interpreted as an integer", "range(row)",
        "A count or a size has to be one integer, and this is a {0}: perhaps its length is meant, or what is in it, "
        "one by one."),
    Row("TypeError", r"unhashable type: '(?:numpy\.)?(\w+)'", "{row: 1}",
        "A {0} can be no key of a dictionary, and cannot be looked up in one."),
    Row("ValueError", "could not convert string to float", "float('the')",
        "Here is text where a number should be."),
    Row("TypeError", "exceptions must derive from BaseException", "error = 'no'\nassert row; raise error",
        "`raise` takes an error, such as ValueError(...)."),
    Row("TypeError", r"softmax\(\) missing 1 required positional arguments?: \"?'?dim", "torch.softmax(t)",
        "torch.softmax has to be told along which axis: dim=-1 is the last one."),
    Row("TypeError|AttributeError", r"'(\w+)' object does not support the context manager protocol|^(__enter__)$",
        "with row: pass",
        "`with` takes what has to be closed, such as an open file, and this is none."),
    Row("TypeError", r"object of type '(\w+)' has no len\(\)", "len(iter(row))",
        "A {0} has no length."),
    Row("ValueError", "need at least one array to (stack|concatenate)", "np.stack([])",
        "`{0}` joins what is in a list, and this list is empty."),
    Row("RuntimeError|ValueError",
        "expected a non-empty (?:list of Tensors|TensorList)|stack expects a non-empty TensorList", "torch.cat([])",
        "`cat` and `stack` join what is in a list, and this list is empty."),
    Row("ValueError", r"zero-size array to reduction operation m(?:ax|in)imum|m(?:ax|in)\(\) .*is (?:an )?empty",
        "max([])", "There is no largest and no smallest of nothing: what came in here is empty."),
    Row("EOFError|BdbQuit", "", "import io, sys; sys.stdin = io.StringIO(); input()",
        "`input` and `breakpoint` wait for somebody at the keyboard, and nobody is there: work with the arguments."),
    Row("RuntimeError", r"input\(\): lost", "import sys; sys.stdin = None; input()",
        "`input` waits for somebody at the keyboard, and nobody is there."),
    Row("RecursionError", "during compilation", "compile('+'.join('x' * 9_999), '', 'eval')",
        "Python cannot read code that nests so deeply: write it in several lines."),
    Row("RecursionError", "", "f = lambda: f()\nf()",
        "A function calls itself, directly or by way of others, more often than Python allows: where does that end?"),
    Row("TypeError",
        "'float' object cannot be interpreted as an integer|expected a sequence of integers|of ints, ?but got float",
        "np.zeros(2.0)",
        "A size or a count has to be an integer: `//` divides to one, `/` never does."),
    Row("TypeError", r"argument 'input' \(position 1\) must be Tensor, not (int|float)", "torch.sqrt(3)",
        "Torch's functions take tensors, and this is one {0}: `math` has those for numbers, such as `math.sqrt`."),
    Row("RuntimeError", r"Can't call numpy\(\) on Tensor that requires grad", "t.requires_grad_().numpy()",
        "Gradients end where NumPy begins: stay with PyTorch's own functions."),
    Row("RuntimeError", "modified by an inplace operation", "u = t.requires_grad_().exp()\nu += 1\nu.sum().backward()",
        "Something that `backward` still needs was overwritten in place, as `+=` and methods such as `mul_` and "
        "`copy_` do: make a new tensor."),
    Row("RuntimeError", "(?:leaf Variable|view of a leaf).*in-place", "t.requires_grad_().mul_(2)",
        "An input or a parameter whose gradient is wanted may not be changed in place: make a new tensor."),
    Row("UFuncTypeError|_UFuncOutputCastingError", r"from dtype\('float", "y = np.arange(3)\ny -= 0.5",
        "The array holds integers, and no fraction fits into it: begin with an array of floats."),
    Row("RuntimeError", "result type Float can't be cast to the desired output type (Long|Int|Bool)",
        "torch.arange(3).mul_(0.5)",
        "The tensor holds no fractions, and one does not fit into it: begin with floats."),
    Row("RuntimeError", "expected scalar type|must have the same dtype|same dtype|but found Double|but expected",
        "t @ t.double().T",
        "Two tensors of different dtypes meet here: make what you create like what came in, with `dtype=x.dtype`."),
    Row("IndexError",
        "boolean index did not match indexed array|The shape of the mask .* does not match the shape of the indexed",
        "x[np.ones(9) > 0]",
        "A mask that stands as an index is not stretched, its axes have to be as long as those of the array: `where` "
        "stretches it."),
    Row("IndexError", r"index (-?\d+) is out of bounds for (?:axis|dimension) \d+ with size (\d+)", "x[9]",
        "There is no place {0} on an axis of {1} places, which are counted from 0."),
    Row("IndexError", "(list|string|tuple) index out of range", "row[9]",
        "The {0} has fewer places than that; they are counted from 0."),
    Row("UnicodeDecodeError", "", r"b'\xff'.decode()",
        'The file holds text in UTF-8: say so where you open it, with encoding="utf-8".'),
    Row("ZeroDivisionError", "", "1 / 0", "What it divides by is 0 here."),
    Row("NotImplementedError", 'is missing the required "forward" function', "nn.Module()(t)",
        "The class has no method of the name `forward`, which a module is called by."),
    Row("TypeError", r"(\w+)\.__init__\(\) takes 1 positional argument but \d+ were given",
        "class M:\n    def __init__(self): pass\nM(1)",
        "{0} is made with arguments here and takes none: an object is made first, {0}(), and then called."),
    Row("IndexError", "invalid index to scalar variable", "np.float64(1)[0]",
        "One number has no places: an index stands behind an array or a list."),
    Row("OverflowError", "math range error|Result too large|int too large to convert to float", "math.exp(1000)",
        "The number is larger than a float can hold: `exp` gets there at 710."),
    Row("InternalTorchDynamoError|BackendCompilerFailed|InductorError|TorchRuntimeError|InvalidCxxCompiler", "",
        "class InductorError(Exception): pass\nerror = InductorError()\nassert row; raise error",
        "`torch.compile` does not work where answers are checked: the function itself is enough."),
    Row("TypeError", r"expected Tensor as element (\d+) in argument 0, but got (\w+)", "torch.cat([1, t])",
        "`cat` and `stack` join tensors, and element {0} is of type {1}: make a tensor of it first."),
    Row("RuntimeError", r"zero-dimensional tensor \(at position (\d+)\) cannot be concatenated",
        "torch.cat([t.sum(), t.sum()])",
        "`cat` joins tensors of at least one axis, and element {0} is one number: `stack` joins these."),
)
# fmt: on
ERROR_MESSAGES = (*_OF_NAMES, *_OF_SHAPES, *_OF_SYNTAX, *_OF_PYTHON)


def explain_error(error: dict, exercise: Exercise, call: Call | None = None) -> str:
    """One sentence about an error of an answer, as the worker described it, or an empty string.

    The call is None where the file could not be run so far.
    """
    failure = Failure.of(error, exercise, call)
    if text := failure.own_statement() or failure.right_type() or failure.other_parameters():
        return text
    row, text = next(((row, text) for row in ERROR_MESSAGES if (text := row.explain(failure))), (None, ""))
    if row in _OF_SHAPES:
        text = f"{text} {failure.arguments(MAX_SHAPES_LENGTH - len(text) - len(' What came in: .'))}".strip()
    return text
