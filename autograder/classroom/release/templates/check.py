# Defines check(...). Run this cell once; it is not part of the exercises.
import contextlib
import doctest
import inspect
import traceback


class NotRight(AssertionError):
    def _render_traceback_(self):
        return [str(self)]  # IPython's hook: show the message without a traceback


class LastLines(doctest.OutputChecker):
    def check_output(self, want, got, flags):
        """Compare the end of what was printed: what your code prints does not count."""
        return not want or super().check_output(want, "".join(got.splitlines(True)[-want.count("\n") :]), flags)


def check(exercise):
    """Raise `NotRight` if an exercise is wrong. Without the kit's verdict, try the examples in its docstring."""
    name, problem = getattr(exercise, "__name__", "The exercise"), None
    with contextlib.suppress(ImportError):  # where the kit is installed, it grades the exercise
        import attn

        problem = attn.graded("CHAPTER", name)
    if problem is None:
        problem = find_failing_example(exercise, name)
    if problem:
        raise NotRight(problem)


def find_failing_example(exercise, name):
    """Run the examples in the docstrings of a function, or of a class and its methods. Return the problem, or ""."""
    methods = filter(inspect.isfunction, vars(exercise).values()) if inspect.isclass(exercise) else ()
    texts = [part.__doc__ or "" for part in (exercise, *methods)]
    tests = [doctest.DocTestParser().get_doctest(text, globals(), name, None, 0) for text in texts]
    total = sum(len(test.examples) for test in tests)
    runner, problem = doctest.DebugRunner(LastLines(), verbose=False), ""
    try:
        for test in tests:
            runner.run(test)
    except doctest.DocTestFailure as failed:
        found, wanted = failed.got.strip() or "nothing", failed.example.want.strip()
        problem = f"{name}: an example fails.\n{failed.example.source}gives\n{found}\ninstead of\n{wanted}"
    except doctest.UnexpectedException as failed:
        kind, error, trace = failed.exc_info
        problem = f"{name}: an example fails.\n{failed.example.source}raises {kind.__name__}: {error}"
        if kind is NotImplementedError:
            stub = traceback.extract_tb(trace)[-1].name
            own = stub == name or stub in vars(exercise)
            problem = f"{name} is still to do." if own else f"{name} needs {stub}, which is still to do."
    if not total:
        problem = f"{name} has no examples left in its docstring, so there is nothing to check."
    if not problem:
        print(f"{name}: the examples pass.")
    return problem
