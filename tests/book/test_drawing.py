"""Every chapter's pictures can be drawn: a book that cannot be built is found here and not by who wants to read it.

So can they by a learner who has no more than their notebook needs: what else the kit installs is away.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from support.grading import absent_for
from support.late import Late

small_book = Late("support.small_book")
ROOT = Path(__file__).resolve().parents[2]
# The pictures of `pretrained` are shipped, since they take the model's weights and minutes.
CHAPTERS = [name for name in curriculum.CHAPTERS if name != "pretrained"]


@pytest.mark.slow
@pytest.mark.parametrize("name", CHAPTERS)
def test_the_pictures_of_a_chapter_are_drawn(name, tmp_path):
    few = small_book.FEW_STEPS if name == "write" else ""
    code = (
        f"import sys\n{few}\nfrom pathlib import Path\nfrom autograder.book.draw import draw\n"
        f"sys.modules.update(dict.fromkeys({absent_for(name)}))\ndraw(sys.argv[1], Path())"
    )
    command = [sys.executable, "-W", "ignore", "-c", code, name]
    paths = os.environ | {"PYTHONPATH": f"{ROOT}:{ROOT / 'exercises'}"}
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=paths, timeout=300, check=False)
    assert not ran.returncode, ran.stderr
    entries = json.loads((tmp_path / "pictures.json").read_text(encoding="utf-8"))
    assert len(entries) == sum(cell.kind == "picture" for cell in read_chapter(name).cells)
    assert not [entry["absent"] for entry in entries if "absent" in entry]
    assert all((tmp_path / figure["file"]).stat().st_size for entry in entries for figure in entry.get("figures", ()))
