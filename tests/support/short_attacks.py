"""Attacks of a line or two: name -> last cell of an honest answer, outcome of `softmax`, part of its message."""

import textwrap

RIGHT = "\n\ndef softmax(x):\n    return right(x)\n"


def attack(lines, outcome, says=""):
    return "def softmax(x):\n" + textwrap.indent(textwrap.dedent(lines).strip(), "    "), outcome, says


def answer_and(lines):
    """Return an attack (a row of this file) that also answers correctly and keeps its points."""
    return textwrap.dedent(lines) + RIGHT, "passed", ""


ENDING = {
    "os._exit in a call": attack("os._exit(77)", "killed", "exit code 77"),
    "sys.exit in a call": attack("sys.exit(0)", "raised", "sys.exit"),
    "sys.exit in its cell": answer_and("sys.exit('done')"),  # The cell above has defined softmax.
    "an abort": attack("os.abort()", "killed", "was ended by signal"),
    "a kill of its own group": attack("os.killpg(0, 9)", "wrong"),  # The first process of a namespace is immune.
    "an exit in __del__": attack("type('D', (), {'__del__': lambda self: os._exit(4)})()", "killed", "exit code 4"),
    "an exit while the result is described": attack(
        "return type('R', (), {'__repr__': lambda self: os._exit(5)})()", "killed", "exit code 5"
    ),
    "all descriptors closed": attack("os.closerange(0, 256)", "killed"),
}
FORGING = {
    "a verdict on standard output": attack(
        """print('{"outcome": "passed", "points": 8}', flush=True)\nreturn np.zeros(len(x))""", "wrong", "returned 0"
    ),
    "a giant length on the wire": attack(
        "os.write(3, b'\\xff' * 8)\nreturn np.zeros(len(x))", "killed", "larger than the wire carries"
    ),
    "NumPy's comparisons replaced": (
        """
        import pickle
        np.allclose = np.isclose = np.array_equal = np.array_equiv = lambda *a, **k: True
        np.testing.assert_allclose = np.testing.assert_array_equal = lambda *a, **k: None
        pickle.loads = pickle.dumps = lambda *a, **k: b""
        def softmax(x):
            return np.zeros(len(x))
        """,
        "wrong",
        "returned 0",
    ),
    "sys.modules emptied": attack("sys.modules.clear()\nreturn np.zeros(len(x))", "wrong"),
}
RESULTS = {
    "None": attack("pass", "wrong", "perhaps a `return` is missing"),
    "a string": attack("return 'passed'", "wrong", "expected numbers"),
    "NaN": attack("return np.full(len(x), np.nan)", "wrong", "returned nan"),
    "complex numbers": attack("return np.zeros(len(x), complex)", "wrong", "complex"),
    "an object array": attack("return np.array([None] * len(x))", "wrong", "dtype=object"),
    "dates": attack("return np.zeros(len(x), 'datetime64[s]')", "wrong", "expected numbers"),
    "records": attack("return np.zeros(len(x), [('a', float)])", "wrong", "expected numbers"),
    "booleans": attack("return np.ones(len(x), bool)", "wrong", "booleans"),
    "a ragged list": attack("return [[1.0], [1.0, 2.0]]", "wrong", "different lengths"),
    "a generator": attack("yield from x", "wrong", "generator"),
    "a coroutine": ("async def softmax(x):\n    return x", "wrong", "coroutine"),
    "a dictionary": attack("return dict(enumerate(x))", "wrong", "expected numbers"),
    "a set": attack("return {0.5, 1.0}", "wrong", "expected numbers"),
    "itself": attack("return softmax", "wrong", "function"),
    "a module": attack("return np", "wrong", "module"),
    "a gigabyte": attack("return np.zeros(2**27)", "wrong", "(134217728,)"),
    "a huge list": attack("return [0.0] * 10**7", "wrong", "10000000 parts"),
    "a list of huge lists": attack("return [[0.0] * 150_000] * 1000", "wrong"),
    "lists of lists of lists": attack(
        "rows = [0.0]\nfor _ in range(9):\n    rows = [rows] * 6\nreturn rows", "raised", "more than 200,000 parts"
    ),
    "huge strings": attack("return ['x' * 99_000] * 200", "raised", "too large to send"),
    "a deeply nested list": attack("r = []\nfor _ in range(10**5): r = [r]\nreturn r", "wrong"),
    "a list that contains itself": attack("r = [1.0]\nr += [r, {1: r}]\nreturn r", "wrong"),
    "an integer of ten million digits": attack("return [1 << 40_000_000]", "wrong", "an integer of 40000001 bits"),
    "an integer of three hundred digits": attack("return [10**300] * len(x)", "wrong"),
    "an array of 64 dimensions": attack("return np.zeros((1,) * 64)", "wrong", "shape"),
    "an array of objects that equal everything": attack(
        "return np.array([type('Yes', (), {'__eq__': lambda self, other: True})()] * len(x))", "wrong"
    ),
    "an array that lies": (
        """
        class Liar(np.ndarray):
            def __eq__(self, other): return True
            def __array_ufunc__(self, ufunc, method, *inputs, **kwargs): return True
            def __array_function__(self, function, types, args, kwargs): return True
            def __array__(self, *args, **kwargs): return np.ones(3)
            def tobytes(self, *args): return b"lies"
            def astype(self, *args, **kwargs): return self
            shape = dtype = size = nbytes = property(lambda self: 3)
        def softmax(x):
            return np.zeros(len(x)).view(Liar)
        """,
        "wrong",
        "returned 0",
    ),
    "numbers that lie": (
        """
        class Liar(float):
            def __eq__(self, other): return True
            def __float__(self): return 0.5
            __repr__ = __str__ = lambda self: "0.5"
            as_integer_ratio = hex = __round__ = lambda self: (1, 2)
        def softmax(x):
            return [Liar(0.0)] * len(x)
        """,
        "wrong",
        "returned 0",
    ),
    "an object with a hostile repr": attack(
        "return type('R\\x1b[2J', (), {'__repr__': lambda self: '\\x1b[31m\\x07\\u202e' * 9999})()", "wrong", "object"
    ),
    "an object whose repr raises": attack(
        "return type('R', (), {'__repr__': lambda self: 1 / 0})()", "wrong", "its repr raises an error"
    ),
    "a class with a hostile metaclass": attack(
        "return type('M', (type,), {'__name__': property(lambda cls: 1 / 0)})('R', (), {})()", "killed"
    ),
}
ERRORS = {
    "an exception whose text raises": attack(
        "raise type('E', (Exception,), {'__str__': lambda self: 1 / 0})()", "raised", "cannot be printed"
    ),
    "an exception of ten megabytes": attack("raise ValueError('long ' * 2_000_000)", "raised", "ValueError: long"),
    "an exception in colour": attack(
        "raise ValueError('\\x1b[2J\\x1b[31mred\\x07\\x08\\r\\x9b0m\\x1b]8;;http://x\\x1b\\\\')", "raised", "red"
    ),
    "an exception with a hostile name": attack(
        "raise type('\\x1b[31mE\\x07' * 200_000, (Exception,), {})('no')", "raised", "raised"
    ),
    "KeyboardInterrupt": attack("raise KeyboardInterrupt", "raised", "raised KeyboardInterrupt"),
    "GeneratorExit": attack("raise GeneratorExit", "raised", "raised GeneratorExit"),
    "BaseException": attack("raise BaseException('base')", "raised", "raised BaseException: base"),
    "deep recursion": attack("return softmax(x)", "raised", "RecursionError"),
    "too much memory at once": attack("return np.ones(10**12)", "memory", "ran out of memory"),
    "too much memory by and by": attack("k = []\nwhile True: k.append(np.zeros(1 << 27))", "memory", "out of memory"),
    "fewer parameters": ("def softmax():\n    return 1", "raised", "TypeError"),
    "more parameters": ("def softmax(x, axis):\n    return 1", "raised", "TypeError"),
    "warnings as errors": attack("import warnings\nwarnings.simplefilter('error')\nwarnings.warn('no')", "raised"),
    "input": attack("return float(input('scores? '))", "raised", "EOFError"),
    "not a function": ("softmax = 5", "wrong", "softmax is not a function"),
    "a name that is gone": ("del softmax", "wrong", "softmax is not a function"),
    "a syntax error in its cell": ("del softmax\n\n# %%\ndef softmax(x:\n    return x", "raised", "SyntaxError"),
    "an error in its cell": (
        "del softmax\n\n# %%\n1 / 0\ndef softmax(x):\n    return x", "raised", "its cell raised ZeroDivisionError"
    ),
}  # fmt: skip
BYSTANDERS = {
    "two hundred megabytes of output": answer_and("for _ in range(200): print('x' * 1_000_000)"),
    "warnings are errors": answer_and(
        "import warnings\nwarnings.simplefilter('error')\nnp.seterr(divide='raise', invalid='raise')"
    ),
    "another folder": answer_and("os.chdir('/')"),
    "its folder removed": answer_and("import shutil\nshutil.rmtree(os.getcwd())"),
    "threads left running": answer_and(
        "import threading\n[threading.Thread(target=time.sleep, args=(300,), daemon=d).start() for d in (True, False)]"
    ),
    "modules taken away": answer_and("sys.modules['json'] = sys.modules['struct'] = None"),
    "a __del__ that raises": answer_and("class D:\n    def __del__(self): raise ValueError\nD()"),
    "a silenced standard output": answer_and("sys.stdout = sys.stderr = None"),
    "a recursion limit": answer_and("sys.setrecursionlimit(10**6)"),
}
CASES = ENDING | FORGING | RESULTS | ERRORS | BYSTANDERS
