"""Runs the cells of a chapter and calls what they define.

The worker runs a learner's answer with it; the grader runs solutions and misconceptions with the same code, so
that all of them are treated alike.
"""

import codeop
import copy
import sys
import traceback
import types

import numpy as np


class Runner:
    """One module full of functions, filled cell by cell, called by name."""

    def __init__(self, module_name):
        self.module = types.ModuleType(module_name)
        self.lines = {}  # place -> line number -> text, to quote in errors
        self.results = []  # what calls returned, so that one can be looked at again later

    @classmethod
    def of(cls, module):
        """A runner around a module that is already loaded."""
        runner = cls(module.__name__)
        runner.module = module
        return runner

    def load(self, cells, notebook=False):
        """Run the cells in order; one cell's error does not stop the next.

        Parameters
        ----------
        cells : list of (str, int, str)
            What the learner calls the place, first line number and source of each cell.
        notebook : bool
            Whether the names that a notebook has built in should exist.

        Returns
        -------
        list
            None or an error for each cell.
        """
        namespace = self.module.__dict__
        sys.modules[self.module.__name__] = self.module
        if notebook:
            namespace["get_ipython"] = _QuietShell(self).get
            namespace["display"] = lambda *things, **options: None
        compiler = codeop.Compile()  # remembers `from __future__` lines from cell to cell
        compiler.flags = 0  # a whole cell, not typing that may go on
        return [self._run_cell(compiler, place, first_line, source) for place, first_line, source in cells]

    def _run_cell(self, compiler, place, first_line, source):
        padded = "\n" * (first_line - 1) + source + "\n"
        self.lines.setdefault(place, {}).update(enumerate(source.split("\n"), start=first_line))
        try:
            exec(compiler(padded, place, "exec"), self.module.__dict__)
        except BaseException as error:  # SystemExit and friends must not end the worker
            return self._describe(error)
        return None

    def defined(self):
        """Names of all callables, in order: `softmax = functools.partial(...)` is as good as a `def`."""
        return [name for name, thing in list(vars(self.module).items()) if isinstance(name, str) and callable(thing)]

    def call(self, name, args, kwargs):
        """Call a function and tell what happened.

        Returns
        -------
        dict
            Either ``value`` and ``ref`` (for `again`) or ``error``; ``changed`` lists the positions of the
            arguments that the call altered.
        """
        function = vars(self.module).get(name)
        if function is None:
            return {"error": {"type": "NameError", "message": f"{name} is not defined", "where": []}}
        before = copy.deepcopy(args)
        try:
            value = function(*args, **kwargs)
        except BaseException as error:
            outcome = {"error": self._describe(error)}
        else:
            self.results.append(value)
            outcome = {"value": value, "ref": len(self.results) - 1}
        outcome["changed"] = [i for i, (old, new) in enumerate(zip(before, args, strict=True)) if not _same(old, new)]
        return outcome

    def again(self, ref):
        """The value that an earlier call returned, as it is now."""
        return self.results[ref]

    def _describe(self, error):
        """An error as plain data: type, message, and the lines of the learner's own file that led there."""
        try:
            message = str.__str__(str(error.msg if isinstance(error, SyntaxError) else error))
        except BaseException:  # an exception's __str__ may raise
            message = "(its message cannot be printed)"
        try:
            where = self._trail(error)
        except BaseException:
            where = []
        return {"type": str(type(error).__name__)[:80], "message": message[:500], "where": where}

    def _trail(self, error):
        if isinstance(error, SyntaxError) and error.filename in self.lines:
            return [[error.filename, error.lineno or 0, "", (error.text or "").strip()[:200]]]
        frames = [(frame.f_code, line) for frame, line in traceback.walk_tb(error.__traceback__)]
        return [
            [code.co_filename, line, code.co_name, self.lines[code.co_filename].get(line, "").strip()[:200]]
            for code, line in frames
            if code.co_filename in self.lines
        ][-8:]


def _same(old, new):
    """Whether an argument is what it was: exact, with NaN equal to itself."""
    if isinstance(old, np.ndarray):
        return (
            isinstance(new, np.ndarray)
            and old.dtype == new.dtype
            and old.shape == new.shape
            and old.tobytes() == new.tobytes()
        )
    if isinstance(old, (list, tuple)):
        return type(new) is type(old) and len(old) == len(new) and all(map(_same, old, new))
    if isinstance(old, dict):
        return type(new) is dict and list(old) == list(new) and all(_same(old[key], new[key]) for key in old)
    return type(old) is type(new) and repr(old) == repr(new)


class _QuietShell:
    """Stands in for IPython's shell: cell magics that wrap code run the code, every other magic does nothing."""

    WRAPPERS = ("time", "timeit", "capture", "prun")

    def __init__(self, runner):
        self.runner = runner

    def get(self):
        return self

    def run_cell_magic(self, name, line, cell):
        if name in self.WRAPPERS:
            exec(compile(cell, "<cell>", "exec"), self.runner.module.__dict__)

    def __getattr__(self, name):
        return lambda *args, **kwargs: None
