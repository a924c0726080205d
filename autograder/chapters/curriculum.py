"""Units, chapters and their files. Every other path and name is derived from these.

In a clone the chapters are next to the package, in a wheel inside it (`pyproject.toml` puts them there).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import platformdirs

PACKAGE = Path(__file__).parents[1]
CONTENT = PACKAGE / "content"
IS_CLONE = not CONTENT.is_dir()
ROOT = PACKAGE.parent if IS_CLONE else CONTENT
KIT = ROOT if IS_CLONE else PACKAGE  # the folder that contains the whole kit and nothing else
SOLUTIONS, EXERCISES = ROOT / "solutions", ROOT / "exercises"
SUITES, MISCONCEPTIONS, QUESTIONS = (PACKAGE / name for name in ("suites", "misconceptions", "questions"))
# The pages that `attn book` builds.
SITE = ROOT / "build" / "book" if IS_CLONE else platformdirs.user_cache_path("attention-exercises") / "book"

# A unit is one nbgrader assignment; its chapters are taught in this order.
UNITS = {
    "attention-basics": ("one_query", "all_queries"),
    "words-and-pictures": ("embeddings",),
    "learned-attention": ("qkv", "additive", "multi_head"),
    "modern-attention": ("positions", "efficient", "backward", "translate", "write", "stories", "pretrained"),
}
SHORT_WAY = ("one_query", "all_queries", "qkv", "multi_head", "positions", "efficient", "write", "stories")
CHAPTERS = tuple(chapter for chapters in UNITS.values() for chapter in chapters)


@dataclass(frozen=True)
class Home:
    """The folders of chapters, suites and misconceptions: those of the kit, or those of a course."""

    solutions: Path
    suites: Path
    misconceptions: Path

    @classmethod
    def in_folder(cls, folder: Path) -> "Home":
        return cls(folder, folder / "suites", folder / "misconceptions")


_own = None


def open_home(home: Home | None) -> None:
    """Add the chapters of a course to the kit's, in place of any other course's; None removes them."""
    global _own
    _own = home


def own_home() -> Home | None:
    return _own


def kit_home() -> Home:
    return Home(SOLUTIONS, SUITES, MISCONCEPTIONS)


def _homes() -> list[Home]:
    return [kit_home(), *([_own] if _own else [])]


def solution_of(chapter: str) -> Path:
    return _find_first(home.solutions / f"{chapter}.py" for home in _homes())


def suite_of(exercise: str) -> Path:
    return _find_first(home.suites / f"test_{exercise}.py" for home in _homes())


def misconceptions_of(exercise: str) -> Path:
    return _find_first(home.misconceptions / f"{exercise}.md" for home in _homes())


def _find_first(paths: Iterable[Path]) -> Path:
    paths = list(paths)
    return next((path for path in paths if path.exists()), paths[-1])


SELF_STUDY = b"self-study"  # the secret outside a course, where it does not have to be secret
