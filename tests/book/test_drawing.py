"""The committed pictures are those that the code draws, even if only the packages for notebooks are installed."""

import json
import os
import re
import subprocess
import sys

import pytest

from autograder.book import pictures
from autograder.chapters.curriculum import ROOT
from support.grading import absent_for

pytestmark = pytest.mark.slow
QUICK = ("one_query", "all_queries", "embeddings", "backward")  # `test_book.py` compares the digests of all
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


@pytest.mark.parametrize("name", QUICK)
def test_drawing_a_chapter_reproduces_the_shipped_pictures(name, tmp_path):
    code = (
        "import sys\nfrom pathlib import Path\nfrom making.draw import draw\n"
        f"sys.modules.update(dict.fromkeys({absent_for(name)}))\ndraw(sys.argv[1], Path())"
    )
    command = [sys.executable, "-W", "ignore", "-c", code, name]
    paths = os.environ | {"PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}:{ROOT / 'exercises'}", "OMP_NUM_THREADS": "1"}
    process = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=paths, timeout=300, check=False)
    assert not process.returncode, process.stderr
    drawn, shipped = (
        json.loads((folder / pictures.LIST).read_text(encoding="utf-8"))
        for folder in (tmp_path, pictures.find_pictures_folder(name))
    )
    assert drawn["digest"] == shipped["digest"]
    for new, old in zip(drawn["cells"], shipped["cells"], strict=True):
        assert [figure["file"] for figure in new["figures"]] == [figure["file"] for figure in old["figures"]]
        texts = [[entry["printed"], *(figure["words"] for figure in entry["figures"])] for entry in (new, old)]
        for one, other in zip(*texts, strict=True):
            assert NUMBER.sub("#", one) == NUMBER.sub("#", other)
            numbers = ([float(number) for number in NUMBER.findall(text)] for text in (one, other))
            assert next(numbers) == pytest.approx(next(numbers), rel=0.02, abs=0.02)
