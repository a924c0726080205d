"""Turns a chapter into an nbgrader source notebook.

Jupytext reads the chapter. Here prose and pictures become read-only cells, an exercise becomes a solution cell with
folded hints and a grade cell below it. The grade cell runs what learners can see anyway, the docstring's examples:
no hidden test is ever in a notebook.
"""

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter

_HOW_TO = """\
**How this notebook works.** There are {count} exercises, worth {points} points together. Each holds one or more lines
`raise NotImplementedError`: write your code in their place and run the cell. The cell `check(...)` below it runs the
examples in the docstring; if one fails, read what it says, or open a hint. The button *Validate*, where your Jupyter
has it, runs all the checks.

The examples are not everything: other inputs decide about the points, and the feedback names the mistake if there is
one. Add cells and functions of your own wherever you like. Run the next cell once; there is no need to read it."""

_CHECK = '''\
# What check(...) does. Run this cell once; it is not part of the exercises.
import contextlib
import doctest
import inspect
import io
import traceback


class ExampleFailed(AssertionError):
    def _render_traceback_(self):
        return [str(self)]  # the sentence alone


class LastLines(doctest.OutputChecker):
    def check_output(self, want, got, flags):
        """Compare the end of what was printed: prints of your own do not count."""
        return not want or super().check_output(want, "".join(got.splitlines(True)[-want.count("\\n") :]), flags)


def check(exercise):
    """Run the examples in the docstrings of a function, or of a class and its methods; show the first that fails."""
    name = getattr(exercise, "__name__", "The exercise")
    methods = filter(inspect.isfunction, vars(exercise).values()) if inspect.isclass(exercise) else ()
    texts = [part.__doc__ or "" for part in (exercise, *methods)]
    tests = [doctest.DocTestParser().get_doctest(text, globals(), name, None, 0) for text in texts]
    total = sum(len(test.examples) for test in tests)
    runner, warned, problem = doctest.DebugRunner(LastLines(), verbose=False), io.StringIO(), ""
    try:
        with contextlib.redirect_stderr(warned):
            for test in tests:
                runner.run(test)
    except doctest.DocTestFailure as failed:
        found, wanted = failed.got.strip() or "nothing", failed.example.want.strip()
        problem = f"{name}: an example fails.\\n{failed.example.source}gives\\n{found}\\ninstead of\\n{wanted}"
    except doctest.UnexpectedException as failed:
        kind, error, trace = failed.exc_info
        problem = f"{name}: an example fails.\\n{failed.example.source}raises {kind.__name__}: {error}"
        if kind is NotImplementedError:
            stub = traceback.extract_tb(trace)[-1].name
            own = stub == name or stub in vars(exercise)
            problem = f"{name} is still to do." if own else f"{name} needs {stub}, which is still to do."
    if not total:
        problem = f"{name} has no examples left in its docstring, so there is nothing to check."
    print(warned.getvalue(), end="")
    if problem:
        raise ExampleFailed(problem)
    print(f"{name}: the examples pass.")'''


def source_notebook(name):
    """The nbgrader source notebook of a chapter, solutions included.

    Parameters
    ----------
    name : str
        The chapter.

    Returns
    -------
    nbformat.NotebookNode
        Equal for equal chapters: its cell ids are derived, not drawn.
    """
    import jupytext  # noqa: PLC0415  (takes two seconds)

    chapter = read_chapter(name)
    read = jupytext.reads((curriculum.SOLUTIONS / f"{name}.py").read_text("utf-8"), fmt="py:percent")
    first, *others = read.cells
    cells = [_read_only(first.cell_type, first.source), *_how_to(chapter)]
    for cell in others:
        if "hint" in cell.metadata:
            continue
        if "exercise" in cell.metadata:
            cells += _exercise(chapter.exercise(cell.metadata["exercise"]), cell.source)
        elif cell.cell_type == "code" and "active-ipynb" not in cell.metadata.get("tags", ()):
            cells.append(_cell("code", cell.source))  # imports and the like are part of the answer
        else:
            cells.append(_read_only(cell.cell_type, cell.source))
    for number, cell in enumerate(cells):
        _name(cell, number)
    read.cells = cells
    read.metadata.pop("jupytext", None)
    read.nbformat, read.nbformat_minor = 4, 5
    return read


def _how_to(chapter):
    points = sum(exercise.points for exercise in chapter.exercises)
    yield _read_only("markdown", _HOW_TO.format(count=len(chapter.exercises), points=points))
    machinery = _read_only("code", _CHECK)
    machinery.metadata["jupyter"] = {"source_hidden": True}  # folded away in JupyterLab
    yield machinery


def _exercise(exercise, source):
    title = f"**Exercise `{exercise.name}`** ({exercise.points} points)"
    yield _read_only("markdown", title)
    yield _marked("code", source, f"{exercise.name}-answer", solution=True)
    if exercise.hints:
        yield _read_only("markdown", "\n\n".join(map(_folded, exercise.hints, range(1, len(exercise.hints) + 1))))
    yield _marked("code", f"check({exercise.name})", exercise.name, grade=True, locked=True, points=exercise.points)


def _folded(hint, number):
    # The blank lines make Markdown inside the HTML work; the style brings back the triangle in nbgrader's feedback.
    return f"<details><summary style='display: list-item'>Hint {number}</summary>\n\n{hint}\n\n</details>"


def _read_only(kind, source):
    return _marked(kind, source, "given", locked=True)


def _marked(kind, source, grade_id, *, solution=False, grade=False, locked=False, points=None):
    cell = _cell(kind, source)
    marks = {"schema_version": 3, "grade_id": grade_id, "solution": solution, "grade": grade, "locked": locked}
    cell.metadata["nbgrader"] = marks | {"task": False} | ({"points": points} if grade else {})
    return cell


def _cell(kind, source):
    from nbformat import v4  # noqa: PLC0415  (slow to import)

    return v4.new_code_cell(source) if kind == "code" else v4.new_markdown_cell(source)


def _name(cell, number):
    """Give a cell its id, and what is given its name.

    By position, not by text: once answers are graded, nbgrader lets the text behind a name change, but not the names.
    """
    marks = cell.metadata.get("nbgrader", {})
    if marks.get("grade_id") == "given":
        marks["grade_id"] = f"given-{number:02}"
    cell.id = marks.get("grade_id", f"open-{number:02}")[:64]
