"""Draws what the book ships of `pretrained`, whose cells need 90 MB of weights: `python -m autograder.book.shipped`.

It needs them (`make minilm`). After a change of the chapter's cells a test says that it has to run again.
"""

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from autograder.book import pictures
from autograder.chapters.chapter import read_chapter

CHAPTER = "pretrained"
NO_WEIGHTS: dict[str, str] = {"ATTENTION_MINILM": os.devnull}


def ship(folder: Path) -> None:
    """Draw the chapter with the weights and without, and keep what only the first has."""
    cells = [cell for cell in read_chapter(CHAPTER).cells if cell.kind == "picture"]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as full, tempfile.TemporaryDirectory() as poor:
        shipped = []
        drawn = pictures.draw_into(full, CHAPTER), pictures.draw_into(poor, CHAPTER, **NO_WEIGHTS)
        for cell, entry, without in zip(cells, *drawn, strict=True):
            if "absent" in entry:
                sys.exit(f"This needs the weights: {entry['absent']}")
            if "absent" in without:
                shipped.append({"code": pictures.code_digest(cell), **entry})
                for figure in entry["figures"]:
                    shutil.copy(Path(full, figure["file"]), folder)
    (folder / "pictures.json").write_text(json.dumps(shipped, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    ship(pictures.SHIPPED / CHAPTER)
