"""A small class for `attn course demo`: what each of its learners hands in.

Answers are the solutions, the stubs and the known mistakes of the exercises, so that they change with them.
"""

from __future__ import annotations

import datetime
import re
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
from nbformat import v4

from autograder.chapters import curriculum
from autograder.chapters.chapter import Exercise, read_chapter
from autograder.judging.mistakes.edits import mistaken
from autograder.worker.reading.definitions import definitions

if TYPE_CHECKING:
    from autograder.classroom.course.course import Course


Sources = dict[str, str]  # exercise -> what is answered

UNIT = "attention-basics"
DUE = datetime.datetime(2026, 1, 12, 12)
LOOPS = Path(__file__).parent / "samples_loops.py"

# What a hostile learner puts in place of solutions.
_ATTACKS = {
    "single_dot_attention_score": "import autograder.suites.test_softmax as suite\n    return suite",
    "normalize_by_sum": "while min(scores) < 0:\n        pass\n    return np.asarray(scores) / sum(scores)",
    "softmax": "import os\n    os._exit(0)",
    "attend": "np.allclose = np.array_equal = lambda *values, **options: True\n    return 99, 99",
}
_FORGED = v4.new_output("execute_result", {"text/plain": "99.0", "text/html": "<script>alert('forged')</script>"})


def right(sources: Sources) -> Sources:
    return sources


def loops(sources: Sources) -> Sources:
    _, *parts = LOOPS.read_text(encoding="utf-8").split("\n\n\n")
    return sources | {name: f"import math\n\n\n{part}" for part in parts for name in definitions(part)}


def renamed(sources: Sources) -> Sources:
    """The loops once more, under other names."""
    names = {"total": "result", "column": "one", "largest": "top", "powers": "shares", "applied": "scaled"}
    pattern = re.compile(rf"\b({'|'.join(names)})\b")
    return {name: pattern.sub(lambda found: names[found[1]], source) for name, source in loops(sources).items()}


def overflow(sources: Sources) -> Sources:
    """Right but for softmax, which overflows."""
    return sources | _mistakes(
        softmax="no_maximum_subtracted",
        attend="no_maximum_subtracted",
        batched_softmax="no_maximum_subtracted",
    )


def axes(sources: Sources) -> Sources:
    """Sums over the wrong axis, looks ahead, and overflows too."""
    wrong = _mistakes(
        softmax="no_maximum_subtracted",
        calculate_attention_vector="summed_over_hidden_units",
        batched_softmax="over_the_queries",
        causal_mask="looks_ahead",
        scaled_dot_product_attention="not_scaled",
    )
    attention = f"{sources['batched_softmax']}\n\n\n{wrong['scaled_dot_product_attention']}"  # its own softmax
    wrong["scaled_dot_product_attention"] = attention.replace("batched_softmax", "softmax_of_rows")
    return sources | wrong


def begun(sources: Sources) -> Sources:
    return dict(list(sources.items())[:4])


def untouched(sources: Sources) -> Sources:
    return {}


def hostile(sources: Sources) -> Sources:
    """Wants the hidden tests, an endless loop, the end of the grader, and 99 points."""
    return sources | {name: _with_body(sources[name], body) for name, body in _ATTACKS.items()}


def markup(sources: Sources) -> Sources:
    body = "print(\"<script>alert('printed')</script>\")\n    return '<b>&nonsense</b>'"
    return sources | {"normalize_by_sum": _with_body(sources["normalize_by_sum"], body)}


# Who is in the class: what they hand in, and how their name ends.
CLASS = {
    "student-01": (right, "right"),
    "student-02": (loops, "right, loops"),
    "student-03": (renamed, "like 02"),
    "student-04": (right, "right, late"),
    "student-05": (overflow, "softmax overflows"),
    "student-06": (axes, "wrong axes"),
    "student-07": (begun, "half done"),
    "student-08": (untouched, "untouched"),
    "student-09": (hostile, "hostile"),
    "student-10": (markup, "<script>alert('name')</script>"),
    "student-11": (None, "no notebook"),
    "student-12": (None, "absent"),
}
LATE, NOT_A_NOTEBOOK, ABSENT = "student-04", "student-11", "student-12"


def hand_in(course: Course) -> None:
    """Put the class into the gradebook of a course that has been built, and what it hands in where it belongs."""
    with course.gradebook() as gradebook:
        gradebook.update_or_create_assignment(UNIT, duedate=DUE)
        for student, (_, words) in CLASS.items():
            gradebook.add_student(student, first_name="student", last_name=f"{student[-2:]} ({words})")
    for student in CLASS.keys() - {ABSENT}:
        folder = course.folder_of("submitted", student, UNIT)
        folder.mkdir(parents=True)
        handed_in = DUE + datetime.timedelta(hours=30 if student == LATE else -2)
        (folder / "timestamp.txt").write_text(f"{handed_in} UTC", encoding="utf-8")
        for chapter in curriculum.UNITS[UNIT]:
            released = course.folder / "release" / UNIT / f"{chapter}.ipynb"
            text = "%PDF-1.7" if student == NOT_A_NOTEBOOK else _answered(student, released)
            (folder / f"{chapter}.ipynb").write_text(text, encoding="utf-8")


def _answered(student: str, released: Path) -> str:
    notebook, answer = nbformat.read(released, as_version=4), CLASS[student][0]
    sources = answer({each.name: each.solution for each in _exercises()})
    for cell in notebook.cells:
        grade_id = cell.metadata.get("nbgrader", {}).get("grade_id", "")
        cell.source = (
            sources.get(grade_id.removesuffix("-answer"), cell.source) if "-answer" in grade_id else cell.source
        )
        if answer is hostile and cell.metadata.get("nbgrader", {}).get("grade"):
            cell.outputs, cell.metadata.nbgrader["points"] = [_FORGED], 99
    return nbformat.writes(notebook)


def _with_body(source: str, body: str) -> str:
    """A function with another body, and no docstring."""
    head, _, _ = source.partition('    """')
    return f"{head}    {body}"


def _exercises() -> list[Exercise]:
    return [each for chapter in curriculum.UNITS[UNIT] for each in read_chapter(chapter).exercises]


def _mistakes(**misconceptions: str) -> Sources:
    known = {each.name: each for each in _exercises()}
    return {name: mistaken(known[name], misconception) for name, misconception in misconceptions.items()}
