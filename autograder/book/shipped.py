"""Draws what the book ships of `pretrained`, whose cells need 90 MB of weights: `python -m autograder.book.shipped`.

It needs them (`make minilm`). After a change of the chapter's cells a test says that it has to run again.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

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
        for cell, entry, without in zip(cells, _entries(full, {}), _entries(poor, NO_WEIGHTS), strict=True):
            if "absent" in entry:
                sys.exit(f"This needs the weights: {entry['absent']}")
            if "absent" in without:
                shipped.append({"code": pictures.code_digest(cell), **entry})
                for figure in entry["figures"]:
                    shutil.copy(Path(full, figure["file"]), folder)
    (folder / "pictures.json").write_text(json.dumps(shipped, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _entries(folder: str, environment: dict[str, str]) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "autograder.book.draw", CHAPTER, folder]
    subprocess.run(command, cwd=folder, env=os.environ | {"OMP_NUM_THREADS": "1"} | environment, check=True)
    return json.loads(Path(folder, "pictures.json").read_text("utf-8"))


if __name__ == "__main__":
    ship(pictures.SHIPPED / CHAPTER)
