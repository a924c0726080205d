"""A script that computes and stores the answers to all questions: `python -m autograder.questions.compute`.

The answers come from the chapter's solutions and misconceptions, run in a worker. `make drawings` runs this script.
"""

import json

from autograder.chapters import curriculum
from autograder.chapters.chapter import find_slow_libraries, read_chapter
from autograder.chapters.errors import SuiteError
from autograder.judging.misconceptions import apply_mistake
from autograder.judging.run.kit_code import KitFile, get_shared_file
from autograder.questions.computed import VALUES, list_quizzed_chapters, load_questions
from autograder.worker.reading.answers import CodeCell


def compute(name):
    """Return for each question a list of its expressions' values: the right one, mistakes and slips, or its options."""
    chapter, questions = load_questions(name)
    return [_compute_values(question, chapter) for question in questions]


def _compute_values(question, chapter):
    if question.options:
        return run(question, chapter, *(test for test, _ in question.options.values()))
    correct_value, *slips = run(question, chapter, question.right, *question.slips)
    mistakes = [run(question, chapter, question.right, mistake=name)[0] for name in question.misconceptions]
    return [correct_value, *mistakes, *slips]


def run(question, chapter, *expressions, mistake=None):
    """Return the values of expressions, as tuples and floats. The question's code runs first.

    Parameters
    ----------
    question : autograder.questions.question.Question
    chapter : str
    *expressions : str
    mistake : str, optional
        ``exercise.misconception``: the known mistake to make in the exercise.
    """
    mistaken_source = ""
    if mistake:
        exercise, misconception = mistake.split(".")
        mistaken_source = apply_mistake(read_chapter(chapter).get_exercise(exercise), misconception)
    file = get_shared_file(f"questions/{chapter}.py", lambda: _get_file(chapter))

    def ask():
        file.begin(None)
        return file.ask(["call", "_evaluate", [mistaken_source, question.given, list(expressions)], {}])

    reply = file.retry_once(ask)
    if reply.get("error"):
        raise SuiteError(f"a question on {chapter} cannot be computed: {reply['error']['message']}")
    return reply["value"]


def _get_file(chapter):
    """Return a `KitFile` of the chapter and `_evaluate`, without pictures, whose imports take seconds."""
    cells = [cell for cell in read_chapter(chapter).code_cells if "seaborn" not in find_slow_libraries([cell.source])]
    return KitFile([*cells, CodeCell(f"questions/{chapter}.py", 1, _CODE)])


_CODE = """
def _evaluate(source, code, expressions):
    names = dict(globals())
    exec(source, names)
    exec(code, names)
    values = [eval(expression, names) for expression in expressions]
    return [value if isinstance(value, tuple) else float(value) for value in values]
"""


def main():
    names = [*list_quizzed_chapters(), *curriculum.UNITS]
    lines = [
        f" {json.dumps(name)}: [\n" + ",\n".join(f"  {json.dumps(_round(values))}" for values in compute(name)) + "\n ]"
        for name in names
    ]
    VALUES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _round(values):
    """Return the values rounded to six digits, so that another computer writes the same file."""
    return [value if isinstance(value, tuple) else float(f"{value:.6g}") for value in values]


if __name__ == "__main__":
    main()
