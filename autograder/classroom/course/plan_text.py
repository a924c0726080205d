"""The `course.toml` that a new course begins with: everything in it, to be cut down."""

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter

_HEAD = """\
# What this course asks. Change what you like and run `attn course build`, which says what has changed.
# Assignments may be merged, split, renamed and left out; docs/teacher-reference.md explains every key.

# How learners hand in, in your words: it stands at the top of every notebook.
hand_in = ""

# How many of the worst assignments do not count in `attn course overview`; `weight = 2` in one lets it count twice.
drop_lowest = 0

# What the first cell of a notebook gives to `pip install` where the kit is missing: an address, a wheel that
# lies in this folder and then goes out beside the notebooks, or options for an index of yours. Empty: nothing.
install = ""

# Where the course is: times without a zone, here and in Moodle's worksheet, are that place's.
# timezone = "Europe/Berlin"
"""

_ASSIGNMENT = """
[assignments.{name}]
chapters = [{chapters}]
# Put a # before an exercise to leave it out. What the others need of it is given, solved.
exercises = [
{exercises}
]
points = {{}}  # what you would weigh differently: {{ {first} = 20 }}
# due = 2027-02-01T12:00:00+01:00
carry_forward = false  # true: no points are lost for a mistake in an earlier exercise that this one calls
# exam = true  # no hints, hidden inputs of its own, nothing late, and feedback only when you say so
# before = "own/welcome.md"  # your words at the beginning of the first notebook; `after`: at the end of the last
add = []  # questions and cells of yours: [{{ after = "{first}", file = "own/why.md", points = 5 }}]
"""


def whole_text() -> str:
    """The text of the file, with all units of the kit."""
    return _HEAD + "".join(_assignment(unit, chapters) for unit, chapters in curriculum.UNITS.items())


def _assignment(name: str, chapters: tuple[str, ...]) -> str:
    lines = []
    for chapter in chapters:
        lines.append(f"    # {chapter}")
        for exercise in read_chapter(chapter).exercises:
            lines.append(f'    "{exercise.name}",  # {exercise.points} points')
    quoted = ", ".join(f'"{chapter}"' for chapter in chapters)
    first = read_chapter(chapters[0]).exercises[0].name
    return _ASSIGNMENT.format(name=name, chapters=quoted, exercises="\n".join(lines), first=first)
