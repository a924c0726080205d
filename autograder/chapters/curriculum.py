"""Units, chapters and the paths of their files. All other paths are derived from these.

In a clone, the chapters are next to the package. In a wheel, they are inside it (see `pyproject.toml`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import platformdirs

PACKAGE = Path(__file__).parents[1]
CONTENT = PACKAGE / "content"
IS_CLONE = not CONTENT.is_dir()
ROOT = PACKAGE.parent if IS_CLONE else CONTENT
KIT = ROOT if IS_CLONE else PACKAGE  # the folder that contains the whole kit and no other files
SOLUTIONS, EXERCISES = ROOT / "solutions", ROOT / "exercises"
SUITES, MISCONCEPTIONS, QUESTIONS = (PACKAGE / name for name in ("suites", "misconceptions", "questions"))
# The folder in which `attn book` builds the pages.
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
class ContentFolders:
    """The folders with chapters, suites and misconceptions, either of the kit or of a course."""

    solutions: Path
    suites: Path
    misconceptions: Path

    @classmethod
    def in_folder(cls, folder: Path) -> "ContentFolders":
        return cls(folder, folder / "suites", folder / "misconceptions")


_own = None


def open_home(home: ContentFolders | None) -> None:
    """Add a course's chapters to the kit's, replacing an earlier course's. With None, only remove the earlier ones."""
    global _own
    _own = home


def get_own_home() -> ContentFolders | None:
    return _own


def get_kit_home() -> ContentFolders:
    return ContentFolders(SOLUTIONS, SUITES, MISCONCEPTIONS)


def _list_homes() -> list[ContentFolders]:
    return [get_kit_home(), *([_own] if _own else [])]


def solution_of(chapter: str) -> Path:
    return _find_first(home.solutions / f"{chapter}.py" for home in _list_homes())


def suite_of(exercise: str) -> Path:
    return _find_first(home.suites / f"test_{exercise}.py" for home in _list_homes())


def misconceptions_of(exercise: str) -> Path:
    return _find_first(home.misconceptions / f"{exercise}.md" for home in _list_homes())


def _find_first(paths: Iterable[Path]) -> Path:
    paths = list(paths)
    return next((path for path in paths if path.exists()), paths[-1])


SELF_STUDY = b"self-study"  # seed of the hidden inputs in self-study, where it need not be secret
