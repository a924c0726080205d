"""The `course.toml` that a new course begins with: everything in it, to be cut down."""

from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter

TEMPLATE = Path(__file__).parent / "templates" / "course.toml.j2"


def whole_text() -> str:
    """The text of the file, with all units of the kit."""
    from jinja2 import Template  # noqa: PLC0415  (slow to import)

    units = {unit: [read_chapter(name) for name in chapters] for unit, chapters in curriculum.UNITS.items()}
    return Template(TEMPLATE.read_text(encoding="utf-8"), trim_blocks=True, keep_trailing_newline=True).render(
        units=units
    )
