"""The table in docs/design.md limits the amount of code, and of the code that one check loads.

A figure above its limit fails, and so does a limit far above its figure: lower that limit, so that it only falls.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.chapters.curriculum import IS_CLONE, ROOT

pytestmark = pytest.mark.skipif(not IS_CLONE, reason="counts the files of a clone")

SLACK = 0.03  # share by which a limit may exceed its figure
MATERIAL = ("suites", "misconceptions", "questions")  # folders that authors write; all other code is machinery
LIMITS = dict(re.findall(r"^\| ([^|]+?) \| ([\d,]+) \|$", (ROOT / "docs" / "design.md").read_text(), re.M))
# A wrong answer without a known mistake, so that all explainers are loaded.
WRONG = "def softmax(scores):\n    return [0.25, 0.5] + [0.125] * (len(scores) - 2)\n"
CHECK = """
import json, sys
from pathlib import Path
from autograder.cli.main import app
app(["check", "softmax", "--answers", sys.argv[1]], standalone_mode=False)
modules = [module for name, module in sys.modules.items() if name.partition(".")[0] == "autograder"]
print(json.dumps([module.__file__ for module in modules if module.__file__]))
"""
WORKER = "import json, sys; sys.path.insert(0, {!r}); import worker.zygote; print(json.dumps("
WORKER += "[module.__file__ for name, module in sys.modules.items() if name.startswith('worker')]))"


def tracked(*patterns):
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [path for line in listed.stdout.splitlines() if (path := ROOT / line).exists()]


def lines_in(files):
    return sum(len(Path(file).read_text(encoding="utf-8").splitlines()) for file in files)


def machinery(*rooms):
    files = tracked(*(f"autograder/{room}*.py" for room in rooms or ("",)))
    return [file for file in files if file.relative_to(ROOT).parts[1] not in MATERIAL]


def loaded_by_a_check(folder):
    """Return the files of the kit that the grader and one worker load for `attn check` of one exercise."""
    answer = folder / "one_query.py"
    answer.write_text(WRONG)
    command = [sys.executable, "-c", CHECK, str(answer)]
    grader = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    command = [sys.executable, "-c", WORKER.format(str(ROOT / "autograder"))]
    worker = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout
    files = {Path(file) for file in (*json.loads(grader), *json.loads(worker))}
    return [file for file in files if file.name != "__init__.py" and file.parent.name not in MATERIAL]


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    check = loaded_by_a_check(tmp_path_factory.mktemp("check"))
    tests = [file for file in tracked("tests/*.py") if file.relative_to(ROOT).parts[1] not in ("answers", "mutants")]
    scripts = [file for file in tests if file.relative_to(ROOT).parts[1] in ("making", "benchmarks")]
    return {
        "machinery, lines": lines_in(machinery()),
        "machinery, files": len(machinery()),
        "loaded for `attn check` of one exercise, lines": lines_in(check),
        "loaded for `attn check` of one exercise, modules": len(check),
        "only for the classroom and platforms, lines": lines_in(machinery("classroom/", "platforms/")),
        "Python of tests, answers and mutants aside, lines": lines_in(tests) - lines_in(scripts),
        "scripts that only authors run, lines": lines_in(scripts),
    }


def test_every_figure_is_within_its_limit_and_near_it(figures):
    print(figures)
    assert figures.keys() == LIMITS.keys()
    for name, figure in figures.items():
        limit = int(LIMITS[name].replace(",", ""))
        assert figure <= limit, f"{name}: {figure} of {limit}: take out as much as you add (docs/design.md)"
        assert figure >= limit * (1 - SLACK), f"{name}: {figure} of {limit}: lower the limit in docs/design.md"
