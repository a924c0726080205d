"""The commands in the documents are run, and their output is compared with the text."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from support.missing import require

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")

# Command that this test does not run -> reason.
NOT_RUN = {
    "make check": "tests/project/test_fresh_clone.py gives it",
    ".venv/bin/attn start ../attention": "tests/project/test_fresh_clone.py gives it",
    "attn start DIR": "tests/project/test_fresh_clone.py names a folder",
    "attn lab": "a server that waits for a browser: tests/browser has one",
    "attn watch": "it waits for saves: tests/study/test_watch.py makes them",
    "attn book": "it goes on serving: tests/browser/test_book_writing.py works in it",
    "attn start attention": "tests/project/test_wheel.py gives it where no clone is",
    "make course": "tests/project/test_fresh_clone.py gives it",
    "make check ANSWERS=solutions": "tests/cli/test_cli.py gives it",
    ".venv/bin/attn stubs --check softmax": "tests/project/test_fresh_clone.py gives it",
    "make setup": "what these tests run in was made by it",
    "make test": "this is it",
    "make test-all": "this is it",
    "make lint": "continuous integration runs it",
    "make bench": "the workflow runs it, after `.ci/run`",
    "make demo DIR=demo": "it opens a browser: tests/classroom/test_course_demo.py gives the command",
    "make book": "it goes on serving: tests/browser/test_book_writing.py works in it",
    "make watch": "it waits for saves: tests/study/test_watch.py makes them",
    "make lab": "a server that waits for a browser: tests/browser has one",
}

SANDBOXED = (".venv/bin/attn grade", ".venv/bin/attn doctor")

pytestmark = pytest.mark.needs("setup")


@pytest.fixture
def clone(tmp_path):
    for name in ("autograder", "solutions", "exercises", "docs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("Makefile", "install.py", "pyproject.toml", "requirements.txt"):
        shutil.copy2(ROOT / name, tmp_path / name)
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    (tmp_path / "submissions").mkdir()
    shutil.copy2(ROOT / "solutions" / "one_query.py", tmp_path / "submissions" / "ada.py")
    shutil.copy2(ROOT / "solutions" / "one_query.py", tmp_path / "my_answers.py")
    return tmp_path


def run(command, folder):
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "MAKE", "MFLAGS"))}
    environment["PATH"] = os.pathsep.join([str(ROOT / ".venv" / "bin"), environment["PATH"]])  # The .venv is active.
    return subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, env=environment, timeout=300)


def commands(text):
    lines = re.findall(r"^(?:\$ )?((?:make|attn|\.venv/bin/\w+) .*)$", text, re.MULTILINE)
    results = lines + re.findall(r"`((?:make|attn|\.venv/bin/\w+) [^`]+)`", text)
    return list(dict.fromkeys(re.sub(r"\s+", " ", command.partition("#")[0]).strip() for command in results))


@pytest.mark.parametrize("command", [c for c in commands(README) if c not in NOT_RUN])
@pytest.mark.slow
def test_commands_of_the_readme_run(clone, command):
    if command.startswith(SANDBOXED):
        require("bubblewrap")
    command = command.replace("my_answers.ipynb", "my_answers.py")
    finished = run(command, clone)
    assert finished.returncode == 0, finished.stdout + finished.stderr


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/design.md", "docs/limits.md"])
def test_modules_that_a_page_names_exist(page):
    names = set(re.findall(r"`([\w/]+\.py)`", (ROOT / page).read_text(encoding="utf-8"))) - {"pickle.py"}
    assert [name for name in names if not [*ROOT.glob(f"autograder/**/{name}"), *ROOT.glob(name)]] == []


def test_the_readme_has_commands():
    assert NOT_RUN.keys() < set(commands(README))


# Additions to the examples of docs/author.md: more mistakes, and answers in other styles.
MORE_MISTAKES = """
## temperature_left_out
- ` / temperature` -> nothing
- The weights are the same at every temperature.
- right: At temperature 1 they are right.
- try: Compare the weights at temperature 1 and at 10.
- rule: The scores should be divided by the temperature first.

## not_divided
- ` / exponentials.sum()` -> nothing
- These are the exponentials, which sum to anything.
- try: What do the weights sum to?
- rule: Each should be divided by the sum of all.
"""
BODIES = {
    "passed": (
        "powers = np.exp(np.array(scores) / temperature)\n    return powers / powers.sum()",
        "x = np.asarray(scores) / temperature\n    return np.exp(x - np.log(np.sum(np.exp(x))))",
        "powers = [np.e ** (x / temperature) for x in scores]\n    return [power / sum(powers) for power in powers]",
        "x = np.divide(scores, temperature)\n    e = np.exp(x - np.max(x))\n    return np.true_divide(e, e.sum())",
        "x = np.array(scores, float)\n    return np.array([1 / np.exp((x - one) / temperature).sum() for one in x])",
    ),
    "wrong": (
        "powers = np.exp(np.array(scores))\n    return powers / powers.sum() / temperature",
        "return np.exp(np.array(scores) / temperature)",
    ),
}


def temperature_softmax(page, clone):
    """Add the exercise of docs/author.md to a clone, in the places that the page names."""
    blocks = re.findall(r"^(````?)(markdown|python)\n(.*?)^\1$", page, re.DOTALL | re.MULTILINE)
    cell, test, labelled, oracle = (text for _, language, text in blocks if language == "python")
    mistakes = [text for _, language, text in blocks if language == "markdown"]
    chapter = clone / "solutions" / "one_query.py"
    chapter.write_text(chapter.read_text() + "\n\n" + cell)
    tests = [test, test.replace("other_sizes", "soft").replace("0.5", "4.0"), test.replace("other", "same")]
    suites = clone / "autograder" / "suites"
    (suites / "test_temperature_softmax.py").write_text("import pytest\n\n\n" + "\n\n".join(tests))
    known = clone / "autograder" / "misconceptions" / "temperature_softmax.md"
    known.write_text("\n".join([*mistakes, MORE_MISTAKES]))
    oracles = clone / "tests" / "support" / "oracles.py"
    oracles.write_text(f"{oracles.read_text()}\n\n{oracle}")
    answers = clone / "tests" / "answers" / "one_query" / "temperature_softmax"
    answers.mkdir()
    (answers / "wrong_multiplied.py").write_text(labelled)
    for outcome, bodies in BODIES.items():
        for number, body in enumerate(bodies):
            source = f"# expect: temperature_softmax {outcome}\nimport numpy as np\n\n\n"
            source += f"def temperature_softmax(scores, temperature):\n    {body}\n"
            (answers / f"{outcome}_{number}.py").write_text(source)


@pytest.mark.slow
def test_the_walk_through_of_the_authors_page_works(clone):
    page = (ROOT / "docs" / "author.md").read_text(encoding="utf-8")
    shutil.copytree(ROOT / "tests", clone / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    temperature_softmax(page, clone)
    for line in re.search(r"```\n(attn stubs\n.*?)```", page, re.DOTALL)[1].splitlines():
        finished = run(f".venv/bin/python -m autograder.cli.main {' '.join(shlex.split(line)[1:])}", clone)
        assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "temperature_softmax" in finished.stdout and "3/3  done" in finished.stdout
    (arguments,) = re.findall(r"^\.venv/bin/pytest (tests/content .*)$", page, re.MULTILINE)
    finished = run(f".venv/bin/python -m pytest -q -n 0 {arguments}", clone)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert int(re.search(r"(\d+) passed", finished.stdout)[1]) > len([*BODIES["passed"], *BODIES["wrong"]]) + 5
