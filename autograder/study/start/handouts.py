"""What a learner's folder holds at first: chapters, given data, a page to begin with, settings of editors."""

from pathlib import Path

from autograder.boundary.sandbox import GIVEN
from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.stubs import stub_script

ANSWERS = "exercises"
_FILES = Path(__file__).parent / "files"
_NAMES = {"README.md": "README.md", "gitignore": ".gitignore", "vscode.json": ".vscode/settings.json"}
_NAMES |= {"editorconfig": ".editorconfig"}


def handouts() -> dict[str, str]:
    """Path in the learner's folder -> text."""
    texts = {f"{ANSWERS}/{name}.py": stub_script(read_chapter(name)) for name in curriculum.CHAPTERS}
    for path in sorted(GIVEN.iterdir()):
        if path.suffix in (".py", ".txt"):
            texts[f"{ANSWERS}/{GIVEN.name}/{path.name}"] = path.read_text(encoding="utf-8")
    return texts | {place: (_FILES / name).read_text(encoding="utf-8") for name, place in _NAMES.items()}
