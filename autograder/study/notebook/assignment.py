"""The implementation of ``check(softmax)`` in a course's notebooks, if the kit is installed."""

import os

from autograder.chapters import curriculum
from autograder.chapters.answers import Task
from autograder.chapters.chapter import read_chapter
from autograder.chapters.text import clean
from autograder.judging.verdict.verdict import ExerciseVerdict
from autograder.study.notebook.desk import end_workers, judge_tasks, read_tasks
from autograder.views.card import to_card
from autograder.views.words import sentences_of


def graded(chapter: str, name: str) -> str | None:
    """Judge an exercise that the running notebook defines, and show the verdict.

    Return a sentence on the mistake, or "" if the exercise passed. Return None if the kit cannot judge the exercise: it
    is the course's own, a library is missing, or the kit failed. The notebook then runs only its examples.
    """
    from IPython import get_ipython  # noqa: PLC0415  (installed where notebooks run)

    shell = get_ipython()
    if shell is None or chapter not in curriculum.CHAPTERS or name not in read_chapter(chapter).names:
        return None
    try:
        verdicts = judge_tasks(read_tasks(shell, [read_chapter(chapter)], {name}))
    except KeyboardInterrupt:
        end_workers()
        raise
    except Exception as error:
        print(clean(f"The kit cannot check {name} here: {error}. These are its examples alone."))
        return None
    return _show(shell, *verdicts[0]) if verdicts and verdicts[0][1].outcome != "fault" else None


def _show(shell: object, task: Task, verdict: ExerciseVerdict) -> str:
    from IPython.display import display  # noqa: PLC0415  (installed where notebooks run)

    name, text = verdict.exercise, "\n".join(sentences_of(verdict))
    if verdict.outcome == "unattempted":
        return text or f"{name} is still to do."
    if _is_validating(shell):  # Validate shows only errors, so print nothing.
        return "" if verdict.outcome == "passed" else f"{name}: {text}"
    # Show no points, because the course may have changed them.
    page = to_card(verdict, task.chapter.get_exercise(name).hints, with_points=False)
    is_right = verdict.outcome == "passed"
    display({"text/html": page, "text/plain": f"{name}: done." if is_right else f"{name}: {text}"}, raw=True)
    return "" if is_right else f"{name} is not right yet."


def _is_validating(shell: object) -> bool:
    """Return whether nbgrader's Validate runs this cell.

    nbgrader's environment variable is not sufficient: kernels that JupyterLab starts at the same time inherit it. But
    only the kernel of Validate has no standard input.
    """
    kernel = getattr(shell, "kernel", None)
    request = kernel.get_parent() if kernel else {}
    return "NBGRADER_EXECUTION" in os.environ and not request.get("content", {}).get("allow_stdin", False)
