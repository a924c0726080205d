"""The learner's files are the source of truth: pages save to them, and never overwrite other changes in them."""

import io
import json
import os
import random
import time

import pytest
from rich.console import Console

from autograder.chapters.chapter import read_chapter
from autograder.serve.learner_session import LearnerSession
from autograder.study.answer_cell import read_answer_cell
from autograder.study.folder import Folder
from autograder.study.reset import reset_exercise
from autograder.study.start import read_handouts, start
from autograder.study.versions import is_insertion_into, trim_cell
from autograder.study.watching.screen import Screen
from autograder.study.watching.state import SavedAnswers
from support.quick import pick_quick
from support.served import answers

# A check that is stopped leaves a worker's socket to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
SOFTMAX = read_chapter("one_query").get_exercise("softmax")
RIGHT = "def softmax(scores):\n    e = np.exp(scores - np.max(scores))\n    return e / e.sum()"
NAIVE = "def softmax(scores):\n    e = np.exp(scores)\n    return e / e.sum()"
ENDLESS = "def softmax(scores):\n    while True:\n        pass"


@pytest.fixture
def folder(tmp_path):
    return Folder(answers(tmp_path))


@pytest.fixture
def user(folder):
    user = LearnerSession(folder, lambda: None)
    yield user
    user.checker.close(10)


def sheet(user, name="softmax"):
    return user.describe_page("one_query")["sheets"][name]


def list_texts(user, name="softmax"):
    return {version["text"] for version in user.versions(name)["versions"]}


def wait_until(user, holds, name="softmax", seconds=60):
    deadline = time.monotonic() + seconds
    while not holds(told := sheet(user, name)):
        assert time.monotonic() < deadline, told
        time.sleep(0.01)
    return told


def check_sheet(user, text, name="softmax"):
    number = (sheet(user, name).get("found") or {}).get("number", 0)
    assert "version" in user.check(name, sheet(user, name)["text"], text, "yes")
    return wait_until(user, lambda told: told["found"] and told["found"]["number"] > number, name)["found"]


def test_a_save_changes_the_exercise_and_nothing_else(user, folder):
    path = folder.find_file(SOFTMAX)
    before = path.read_bytes()
    assert sheet(user)["text"] == SOFTMAX.stub
    assert user.save("softmax", SOFTMAX.stub, RIGHT) == {"version": 1}
    assert path.read_bytes() == before.replace(SOFTMAX.stub.encode(), RIGHT.encode())
    assert user.save("softmax", RIGHT, "", "yes") == {"version": 2}
    assert sheet(user)["text"] == ""
    assert user.save("softmax", "", SOFTMAX.stub) == {"version": 3}
    assert path.read_bytes() == before


def test_line_ends_are_unchanged(user, folder):
    path = folder.find_file(SOFTMAX)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert "version" in user.save("softmax", SOFTMAX.stub, RIGHT)
    assert path.read_bytes().count(b"\n") == path.read_bytes().count(b"\r\n")


def test_changes_from_elsewhere_are_shown_and_kept(user, folder):
    path = folder.find_file(SOFTMAX)
    user.save("softmax", SOFTMAX.stub, NAIVE)
    assert user.save("softmax", SOFTMAX.stub, RIGHT) == {"conflict": NAIVE}
    path.write_text(path.read_text().replace(NAIVE, f"{NAIVE}  # mine"))
    assert user.check("softmax", NAIVE, RIGHT) == {"conflict": f"{NAIVE}  # mine"}
    assert sheet(user)["text"] == f"{NAIVE}  # mine" and RIGHT not in path.read_text()
    assert "version" in user.save("softmax", "long ago", f"{NAIVE}  # mine"), "both hold the same"


def test_a_line_that_would_begin_a_cell_is_not_saved(user, folder):
    before = folder.find_file(SOFTMAX).read_bytes()
    message = user.handle_request(
        {"do": "save", "sheet": "softmax", "base": SOFTMAX.stub, "text": f"{RIGHT}\n\n# %%\nx = 1", "confirmed": ""}
    )
    assert "starts another cell" in message["told"]
    assert folder.find_file(SOFTMAX).read_bytes() == before


def test_half_a_surrogate_pair_is_refused_and_harms_no_file(tmp_path, user):
    broken = 'def softmax(scores):\n    return "\ud83d"'
    assert "version" in user.save("softmax", SOFTMAX.stub, broken)
    assert sheet(user)["text"] == broken.replace("\ud83d", "?")
    (tmp_path / "other").mkdir()
    exercises = answers(tmp_path / "other")
    (exercises / "one_query.py").unlink()
    cells = [{"cell_type": "code", "metadata": {}, "source": source} for source in ('x = "\ud83d"', NAIVE)]
    path = exercises / "one_query.ipynb"
    path.write_text(json.dumps({"cells": cells, "nbformat": 4}))
    other = LearnerSession(Folder(exercises), lambda: None)
    assert "version" in other.save("softmax", NAIVE, RIGHT)
    other.checker.close(10)
    assert json.loads(path.read_text())["cells"][0]["source"] == 'x = "\ud83d"'


def test_a_file_that_cannot_be_read_is_named(user, folder):
    path = folder.find_file(SOFTMAX)
    path.write_bytes("def softmax(x):\n    return 'é'\n".encode("latin-1"))
    assert "UTF-8" in sheet(user)["trouble"] and "done" not in user.describe_page("one_query")
    path.unlink()
    assert "one_query.py does not exist" in sheet(user)["trouble"]
    path.write_text("x = 1\n")
    assert "does not define softmax" in sheet(user)["trouble"]


def test_verdicts_equal_those_of_watch(user, folder):
    results = check_sheet(user, NAIVE)
    assert (
        "exponentials of large scores overflow" in results["card"]
        and "attn-picture" in results["card"]
        and not results["is_right"]
    )
    assert results["is_of_this"] and folder.progress.read()["softmax"]["mistakes"] == ["no_maximum_subtracted"]
    user.save("softmax", NAIVE, RIGHT)
    assert not sheet(user)["found"]["is_of_this"]
    results = check_sheet(user, RIGHT)
    assert results["is_right"] and results["glad"]
    assert user.describe_page("one_query")["done"]["exercises"] == ["softmax"]
    done = user.describe_page("index")["done"]
    assert done["chapters"]["one_query"] == [1, 7] and done["total"] == len(folder.exercises)
    assert done["next"]["page"] == "one_query.html#apply_attention_scores"
    again = check_sheet(user, RIGHT)
    assert again["is_right"] and not again["glad"], "praise comes once"


def test_the_line_of_an_error_is_marked(user):
    broken = 'def softmax(scores):\n    """Weights."""\n    e = np.expp(scores)\n    return e / e.sum()'
    assert check_sheet(user, broken)["line"] == 3
    assert check_sheet(user, f"# first\n{broken}")["line"] == 4


def test_an_endless_loop_is_stopped_at_once(user):
    check_sheet(user, NAIVE)
    user.check("softmax", NAIVE, ENDLESS)
    time.sleep(0.3)
    assert sheet(user)["is_checked"]
    began = time.monotonic()
    user.handle_request({"do": "stop"})
    told = wait_until(user, lambda told: not told["is_checked"])
    assert told["note"]["text"] == "Stopped." and not told["found"]["is_of_this"]
    assert check_sheet(user, RIGHT)["is_right"]
    assert time.monotonic() - began < 5, "it is not waited for"


def test_solutions_and_bugs_are_sent_on_request(user, folder):
    asked = {"do": "solution", "sheet": "softmax", "gives_up": ""}
    assert user.handle_request(asked) == {"asks": "Give up on softmax and see its solution?"}
    assert "not done" in user.handle_request(asked | {"do": "start bug hunt"})["asks"]
    code = user.handle_request(asked | {"gives_up": "yes"})["code"]
    assert any(line.startswith("+ ") and "np.exp" in line for line in code)
    assert "softmax.py" in user.handle_request(asked | {"do": "start bug hunt"})["lines"][0]
    case = sheet(user, "debug/softmax")["text"]
    assert "Find the bug" in case and "scores" in case
    assert not check_sheet(user, f"{case}\n# seen", "debug/softmax")["is_right"]
    results = check_sheet(user, f"import numpy as np\n\n\n{RIGHT}", "debug/softmax")
    assert results["is_right"] and "Repaired" in results["glad"][0]
    assert folder.find_file(SOFTMAX).read_text().count(SOFTMAX.stub) == 1, "the answer is another file"


def test_predictions_are_answered_and_the_first_try_is_kept(user, folder):
    ask = {"do": "predict", "of": "one_query", "number": "0", "text": "no number"}
    assert not user.handle_request(ask)["is_right"] and "predicted" not in folder.progress.read().get("one_query", {})
    assert "It is" in user.handle_request(ask | {"text": ""})["said"]
    assert folder.progress.read()["one_query"]["predicted"] == [False]
    assert user.handle_request(ask | {"number": "99"})["told"] and user.handle_request(ask | {"of": "computed"})["told"]


def test_starting_over_stores_the_old_answer(user):
    user.save("softmax", SOFTMAX.stub, NAIVE)
    user.handle_request({"do": "start over", "sheet": "softmax"})
    assert sheet(user)["text"] == SOFTMAX.stub
    assert NAIVE in list_texts(user)


def test_a_save_that_removes_much_is_confirmed(user):
    longer = "\n".join([RIGHT, *(f"# {number}" for number in range(12))])
    user.save("softmax", SOFTMAX.stub, longer)
    for text, sentence in (("", "remove `softmax`"), ("# nothing", "remove `softmax`"), (RIGHT, "more than half")):
        assert sentence in user.save("softmax", longer, text)["loses"]
        assert sheet(user)["text"] == longer
    assert "version" in user.save("softmax", longer, f"{RIGHT}\n# 1\n# 2\n# 3\n# 4\n# 5")
    assert "loses" in user.check("softmax", sheet(user)["text"], "x = 1") and not sheet(user)["is_checked"]


def test_versions_come_with_the_last_one_that_passed_first(user):
    check_sheet(user, RIGHT)
    for text in (NAIVE, "def softmax(scores):\n    return 1"):
        user.save("softmax", sheet(user)["text"], text)
    first, *others = user.versions("softmax")["versions"]
    assert first["passed"] and first["text"] == RIGHT
    assert [version["text"] for version in others] == ["def softmax(scores):\n    return 1", NAIVE, SOFTMAX.stub]


@pytest.mark.parametrize("moment", ["fsync", "replace"])
def test_text_that_another_program_overwrites_is_kept(user, folder, monkeypatch, moment):
    user.save("softmax", SOFTMAX.stub, NAIVE)
    path, elsewhere = folder.find_file(SOFTMAX), f"{NAIVE}  # elsewhere"
    path.write_text(path.read_text().replace(NAIVE, SOFTMAX.stub))
    assert NAIVE in list_texts(user), "the editor beside it had an older text"
    path.write_text(path.read_text().replace(SOFTMAX.stub, NAIVE))
    does = getattr(os, moment)

    def meanwhile(*words):
        if elsewhere not in path.read_text():
            path.write_text(path.read_text().replace(NAIVE, elsewhere))
        does(*words)

    with monkeypatch.context() as patch:
        patch.setattr(os, moment, meanwhile)
        assert user.save("softmax", NAIVE, RIGHT) == {"conflict": elsewhere}
    assert sheet(user)["text"] == elsewhere and RIGHT in list_texts(user)


def test_links_are_followed_and_pipes_are_not_waited_for(user, folder):
    path = folder.find_file(SOFTMAX)
    real = path.rename(folder.path.parent / "synced.py")
    path.symlink_to(real)
    assert "version" in user.save("softmax", SOFTMAX.stub, RIGHT)
    assert path.is_symlink() and RIGHT in real.read_text()
    path.unlink()
    os.mkfifo(path)
    assert "not a file" in sheet(user)["trouble"]


@pytest.mark.parametrize("kind", ["script", "notebook"])
@pytest.mark.parametrize("seed", pick_quick(range(8), 2))
def test_no_text_is_ever_lost(tmp_path, seed, kind):
    draw, exercises = random.Random(seed), answers(tmp_path)
    writers = ["page", "page", "page", "page again", "editor", "watch", "reset", "restart", "back"]
    if kind == "notebook":
        nbformat = pytest.importorskip("nbformat")
        stub_notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(SOFTMAX.stub)])
        nbformat.write(stub_notebook, exercises / "one_query.ipynb")
        (exercises / "one_query.py").unlink()
    else:
        writers.append("start")  # With a notebook, `start` would restore the script.
    folder, console = Folder(exercises), Console(file=io.StringIO())
    user = LearnerSession(folder, lambda: None)
    saves = SavedAnswers(folder, folder.exercises[:7], Screen(console, True))
    path, typed, base = folder.find_file(SOFTMAX), list[str](), SOFTMAX.stub

    def edit_text(text):
        lines = text.split("\n")
        at = draw.randrange(1, len(lines) + 1)
        words = f"    x{draw.randrange(1000)} = {draw.random()}"
        kept = lines[:at] if draw.random() < 0.3 else [*lines[:at], *lines[at + draw.randrange(3) :]]
        return "\n".join([*kept, words])

    def now():
        return read_answer_cell(path, SOFTMAX).source

    for _ in range(60):
        match draw.choice(writers):
            case "page":
                text = trim_cell(edit_text(base))
                reply = user.save("softmax", base, text, draw.choice(["", "yes"]))
                typed += [] if "loses" in reply else [text]
                base = now()
            case "page again":  # Another tab shows an older text.
                reply = user.save("softmax", draw.choice(typed or [base]), text := trim_cell(edit_text(base)))
                typed += [] if "loses" in reply else [text]
            case "editor":  # The editor contains an older text or the current one.
                user.describe_page("one_query")
                text = trim_cell(edit_text(draw.choice([now(), SOFTMAX.stub, *typed[-3:]])))
                path.write_bytes(read_answer_cell(path, SOFTMAX).with_source(text))
                typed.append(text)
                if draw.random() < 0.5:
                    user.describe_page("one_query")
                else:
                    saves.read_changes()
                base = now()
            case "watch":
                saves.read_changes()
            case "reset":
                reset_exercise(folder, SOFTMAX)
            case "start":
                start(exercises.parent, read_handouts())
            case "back":
                if earlier := user.versions("softmax")["versions"]:
                    user.save("softmax", now(), draw.choice(earlier)["text"], "yes")
                    base = now()
            case "restart":
                user.checker.close(10)
                user = LearnerSession(Folder(exercises), lambda: None)
        held = [now(), *(version["text"] for version in user.versions("softmax")["versions"])]
        lost = [text for text in typed if not any(is_insertion_into(other, text) for other in held)]
        assert not lost, lost[0]
    user.checker.close(10)
