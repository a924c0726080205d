"""The commands for learners, and the progress that they record."""

import importlib
import json
import re
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from autograder.chapters.answers import parse_script
from autograder.chapters.chapter import read_chapter
from autograder.chapters.curriculum import CHAPTERS
from autograder.chapters.stubs import make_stub
from autograder.study.progress import Progress, hash_code

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = read_chapter("one_query")
SOFTMAX = CHAPTER.get_exercise("softmax")
NAIVE = SOFTMAX.source.replace("np.exp(scores - scores.max())", "np.exp(scores)")
MEAN = SOFTMAX.source.replace("exponentials.sum()", "exponentials.mean()")


@pytest.fixture
def course(tmp_path):
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / "one_query.py").write_text(make_stub(CHAPTER))
    return tmp_path


@pytest.fixture
def attn(course, monkeypatch, capsys):
    """Return a function that runs a command in the course, checks its exit code and returns its output."""
    monkeypatch.chdir(course)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Typer uses deprecated parts of Click.
        main = importlib.import_module("autograder.cli.main").main

    def run(*arguments, code=0):
        monkeypatch.setattr(sys, "argv", ["attn", *map(str, arguments)])
        with pytest.raises(SystemExit) as error_info:
            main()
        out, error = capsys.readouterr()
        assert error_info.value.code == code, error
        assert "Traceback" not in error and "\x1b" not in out
        return out + error

    return run


def solve(course, source=SOFTMAX.source, was=SOFTMAX.stub):
    file = course / "exercises" / "one_query.py"
    assert was in file.read_text()
    file.write_text(file.read_text().replace(was, source))


def read_progress(course):
    return json.loads((course / "exercises" / ".attn" / "progress.json").read_text())


# Commands -------------------------------------------------------------------------------------------------------


def test_hints_say_more_each_time_and_then_all_again(attn, course):
    assert [attn("hint", "softmax").split(" for ")[0] for _ in range(3)] == [f"Hint {n} of 3" for n in (1, 2, 3)]
    again = attn("hint", "softmax")
    assert [f"Hint {n} of 3" in again for n in (1, 2, 3)] == [True] * 3
    assert "attn solution softmax --give-up" in again
    assert read_progress(course) == {"softmax": {"seen": [*SOFTMAX.hints], "hints_asked": 3}}


def test_the_row_begins_with_the_hints_of_the_mistake_that_was_named(attn, course):
    attn("hint", "softmax")
    was = SOFTMAX.stub
    for wrong in (SOFTMAX.source.replace(" / exponentials.sum()", ""), NAIVE):
        solve(course, wrong, was)
        attn("check", "softmax", code=1)
        was = wrong
    assert read_progress(course)["softmax"]["mistakes"] == ["not_divided_by_the_sum", "no_maximum_subtracted"]
    assert "Hint 1 of 4: What does `np.exp(927)` return?" in attn("check", "softmax", code=1)
    assert attn("hint", "softmax").startswith("Hint 2 of 4 for softmax: The largest score should be subtracted")
    assert attn("hint", "softmax").startswith("Hint 3 of 4 for softmax: The weights do not change")
    assert attn("hint", "softmax").startswith("Hint 4 of 4"), "the exercise's first one asks what the mistake's asks"
    solve(course, SOFTMAX.source, NAIVE)
    attn("check", "softmax")
    assert "Hint 3 of 3" in attn("hint", "softmax")


def test_hints_name_the_line_then_the_part_then_the_edit(attn, course):
    solve(course, MEAN)
    line = (course / "exercises" / "one_query.py").read_text().split("exponentials.mean()")[0].count("\n") + 1
    told = f"One small change in line {line} makes every test pass."
    output = attn("check", "softmax", code=1)
    assert f"softmax  {told}" in output and f"Fix: softmax in exercises/one_query.py:{line}" in output
    (found,) = map(json.loads, attn("check", "softmax", "--json", code=1).splitlines())
    assert (found["line"], found["explained"]) == (line, True) and f"{told} softmax(" in found["message"]
    assert f": In line {line}, look at which function it calls." in attn("hint", "softmax")
    assert "mean" not in attn("solution", "softmax", code=1)
    given_up = attn("solution", "softmax", "--give-up")
    assert f"With one small change in line {line} of your code every test passes:\n- " in given_up
    assert "+     return exponentials / exponentials.sum()\n\nsoftmax: - is yours" in given_up
    solve(course, MEAN.replace("mean()", "min()"), MEAN)  # The earlier change does not repair this answer.
    assert "small change" not in attn("solution", "softmax")


def test_no_locate_searches_no_line(attn, course):
    solve(course, MEAN)
    assert "small change" not in attn("check", "softmax", "--no-locate", code=1)
    assert json.loads(attn("check", "softmax", "--no-locate", "--json", code=1))["line"] is None
    assert "spot" not in read_progress(course)["softmax"]
    assert attn("hint", "softmax").startswith("Hint 1 of 3")


def test_without_a_name_commands_use_the_current_exercise(attn, course):
    assert "for single_dot_attention_score" in attn("hint")
    solve(course, NAIVE)
    assert "for softmax" in attn("hint"), "what is begun comes before what is to do"
    assert re.search(r"softmax \(8 points\) in exercises/one_query.py:\d+", attn("next"))


def test_a_check_is_remembered_until_the_answer_changes(attn, course):
    solve(course)
    assert re.search(r"~ softmax +begun  <- you are here", attn("list"))
    attn("check", "softmax")
    assert re.search(r"✓ softmax +done", attn("list"))
    solve(course, "# It is stable.\n\n" + SOFTMAX.source, SOFTMAX.source)
    assert re.search(r"✓ softmax +done", attn("list")), "a comment changes nothing"
    solve(course, NAIVE, SOFTMAX.source)
    assert re.search(r"softmax +changed since it was done", attn("list"))
    attn("check", "softmax", code=1)
    assert "passed" in read_progress(course)["softmax"], "it was done once, and the solution stays open"


def test_all_commands_agree_on_the_current_exercise(attn, course):
    solve(course)
    attend = CHAPTER.get_exercise("attend")
    solve(course, attend.source, attend.stub)
    attn("check", "softmax")
    attn("reset", "softmax")
    assert re.search(r"softmax +to do.*<- you are here", attn("list"))
    assert attn("next").startswith("softmax (")
    attn("check", "attend", code=1)
    assert attn("next").startswith("dot_attention_score ("), "attend uses it, and it comes first"


def test_the_list_shows_checks_and_hints(attn, course):
    solve(course, NAIVE)
    attn("check", "softmax", code=1)
    attn("hint", "softmax")
    solve(course, SOFTMAX.source, NAIVE)
    attn("check", "softmax")
    attn("check", "softmax")
    assert re.search(r"softmax +done  2 checks, 1 hint", attn("list", "one_query")), "what comes after a pass is free"


def test_every_exercise_has_a_word_after_it():
    for name in CHAPTERS:
        chapter = read_chapter(name)
        for thing in (name, *(exercise.name for exercise in chapter.exercises)):
            assert 40 < len(chapter.afterword_of(thing)) < 400, thing
        assert "after=" not in make_stub(chapter)


def test_the_last_page_lists_solved_exercises_and_mistakes(attn, course):
    solve(course, NAIVE)
    attn("check", "softmax", code=1)
    solve(course, SOFTMAX.source, NAIVE)
    attn("check", "softmax")
    assert "Wrote exercises/.attn/finish.html." in attn("finish", "--no-open")
    page = (course / "exercises" / ".attn" / "finish.html").read_text()
    assert (
        not re.search(r"\b1 exercises", page) and "What you have built so far" in page and "You have built" not in page
    )
    assert "<code>softmax</code>" in page and "large scores overflow" in page
    assert re.search(r"1 of \d+ exercises solved", page)
    assert "https://" not in page and "<script" not in page  # Links appear when all exercises are done.


def test_a_wrong_folder_is_answered_with_the_way_out(attn, course, monkeypatch):
    assert "Did you mean" not in attn("hint", "nonsense", code=2)
    assert "one_query is a chapter. Name one of its exercises: single_dot" in attn("hint", "one_query", code=2)
    assert re.search("The chapters are one_query, .*attn list CHAPTER", attn("check", "zzz", code=2))
    assert "Did you mean SelfAttention or" in attn("hint", "selfattention", code=2)
    monkeypatch.chdir(course.parent)
    for command in ("check", "hint"):
        assert f"exercises does not exist in {course.parent}: go to the folder" in attn(command, code=2)


@pytest.mark.parametrize("place", ["exercises", "notes/deep"])
def test_the_course_is_found_from_below(attn, course, monkeypatch, place):
    (course / place).mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(course / place)
    file = re.search(r" in (\S+one_query.py|one_query.py):\d+", attn("next"))[1]
    assert (course / place / file).samefile(course / "exercises" / "one_query.py")
    assert f"Next: write single_dot_attention_score in {file}" in attn("check")


def test_a_check_of_untouched_stubs_explains_how_to_begin(attn, course):
    output = attn("check")
    assert re.search(r"One query +0 of  7 done", output) and "nothing is written yet" in output
    assert "put your code there and save. `attn watch` checks each save" in output
    assert "0/8  to do" in attn("check", "softmax"), "who names an exercise hears of it"
    solve(course)
    assert "nothing is written yet" not in attn("check")


def test_a_file_is_refused_as_a_folder_of_chapters(attn, course):
    (course / "two.ipynb").write_text("{}")
    output = attn("solution", "softmax", "--give-up", "--answers", "two.ipynb", code=2)
    assert "two.ipynb is a file" in output and "%solution" in output


def test_giving_up_shows_the_solution_even_if_progress_cannot_be_saved(attn, course):
    (course / "exercises" / ".attn").write_text("a file where the folder should be")
    output = attn("solution", "softmax", "--give-up")
    assert "+     exponentials" in output and "cannot be saved" in output and "anyway" not in output


def test_the_help_is_in_groups(attn):
    output = attn("--help")
    groups = dict(re.findall(r"^(To [\w ]+):\n((?:  .*\n)+)", output, re.MULTILINE))
    assert list(groups) == ["To learn", "To teach", "To write exercises"]
    names = {title: set(re.findall(r"^  (\w+)  ", lines, re.MULTILINE)) for title, lines in groups.items()}
    assert {"start", "watch", "check", "lab"} <= names["To learn"]
    assert "course" in names["To teach"] and "stubs" in names["To write exercises"]


def test_the_list_unfolds_chapters(attn):
    assert "softmax" in attn("list") and "batched_softmax" not in attn("list")
    assert "batched_softmax" in attn("list", "all_queries")
    assert "There is no chapter 'nothing'" in attn("list", "nothing", code=2)
    assert "softmax is an exercise of one_query." in attn("list", "softmax", code=2)


def test_an_empty_file_is_answered_with_the_way_back(attn, course):
    (course / "exercises" / "one_query.py").write_text("")
    assert "Next: attn reset one_query, because there is nothing in" in attn("check", "softmax")
    attn("reset", "one_query")
    assert "Next: write softmax in" in attn("check", "softmax")


def test_the_solution_opens_after_a_pass(attn, course):
    assert "--give-up" in attn("solution", "softmax", code=1)
    solve(course, NAIVE)
    attn("check", "softmax", code=1)
    attn("solution", "softmax", code=1)
    solve(course, SOFTMAX.source.replace("exponentials", "powers"), NAIVE)
    attn("check", "softmax")
    output = attn("solution", "softmax")
    assert "-     powers = np.exp(scores - scores.max())" in output
    assert "+     exponentials = np.exp(scores - scores.max())" in output
    assert "  def softmax(scores):" in output and "Parameters" not in output, "docstrings are the same and left out"


def test_giving_up_unlocks_the_solution(attn, course):
    assert "+     exponentials" in attn("solution", "softmax", "--give-up")
    assert list(read_progress(course)["softmax"]) == ["gave_up"]
    assert "+     exponentials" in attn("solution", "softmax"), "once is enough"


def test_an_answer_cannot_draw_on_the_terminal_from_a_solution(attn, course):
    solve(course, SOFTMAX.stub.replace("raise NotImplementedError", 'return "\x1b[31m\x07"'))
    attn("solution", "softmax", "--give-up")  # The fixture asserts that no escape code is printed.


@pytest.mark.parametrize("command", ["hint", "solution", "reset", "watch"])
def test_unknown_names_and_folders_are_named(attn, command):
    assert "Did you mean softmax" in attn(command, "softmaks", code=2)
    assert f"nowhere does not exist in {Path.cwd()}" in attn(command, "softmax", "--answers", "nowhere", code=2)


# Reset ----------------------------------------------------------------------------------------------------------


def test_reset_restores_one_stub_and_stores_the_answer(attn, course):
    file = course / "exercises" / "one_query.py"
    solve(course)
    solve(course, CHAPTER.get_exercise("attend").source, CHAPTER.get_exercise("attend").stub)
    before = file.read_text()
    assert "Your earlier code: attn reset softmax --list" in attn("reset", "softmax")
    assert file.read_text() == before.replace(SOFTMAX.source, SOFTMAX.stub)
    assert re.search(r"^ +1  20.*lines, the last: ", attn("reset", "softmax", "--list"), re.MULTILINE)
    assert "There is no version 9" in attn("reset", "softmax", "--to", "9", code=2)
    attn("reset", "softmax", "--to", "1")
    assert file.read_text() == before


def test_reset_of_a_chapter_writes_it_anew(attn, course):
    file = course / "exercises" / "one_query.py"
    file.write_text("def softmax(")
    first, second = attn("reset", "one_query"), attn("reset", "one_query")
    assert file.read_text() == make_stub(CHAPTER)
    assert re.search(r"backups/(\S+)", first)[1] != re.search(r"backups/(\S+)", second)[1], "no backup replaces another"
    file.unlink()
    assert "Your earlier version" not in attn("reset", "one_query")
    assert file.read_text() == make_stub(CHAPTER)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import numpy as np\n\ndef softmax(x):\n    return 1\n\ny = 2", "import numpy as np\n\n{stub}\n\ny = 2"),
        ("# %%\n@f\ndef softmax(x):\n    return 1\n\n# %%\nz = 3\n", "# %%\n{stub}\n\n# %%\nz = 3\n"),
        ("# %%\ndef softmax(x:\n    return 1\n\n# %%\nz = 3\n", "# %%\n{stub}\n\n# %%\nz = 3\n"),
        ("x = 1\nsoftmax = lambda scores: 1\n", "x = 1\n{stub}\n"),
    ],
)
def test_reset_changes_only_one_exercise(attn, course, before, after):
    file = course / "exercises" / "one_query.py"
    file.write_text(before)
    attn("reset", "softmax")
    assert file.read_text() == after.format(stub=SOFTMAX.stub)


def test_reset_changes_nothing_where_it_could_do_harm(attn, course):
    file = course / "exercises" / "one_query.py"
    for text, said in [
        ("def softmax(x:\n    return 1\ndef attend(x):\n    return 2\n", "cannot be separated"),
        ("x = 1\n", "does not define softmax"),
    ]:
        file.write_text(text)
        assert said in attn("reset", "softmax", code=2)
        assert file.read_text() == text


# Progress -------------------------------------------------------------------------------------------------------

COUNT = """
import sys
from pathlib import Path
from autograder.study.progress import Progress
progress = Progress(Path(sys.argv[1]))
def one_more(known):
    facts = known.setdefault("softmax", {})
    facts["hints"] = facts.get("hints", 0) + 1
while True:
    print(progress.change(one_more)["softmax"]["hints"], flush=True)
"""


def test_two_processes_lose_nothing_and_a_kill_leaves_a_whole_file(tmp_path):
    command = [sys.executable, "-c", COUNT, str(tmp_path)]
    told = []
    for _ in range(3):  # The processes are killed at random times.
        processes = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(2)]
        told += [int(process.stdout.readline()) for process in processes for _ in range(20)]
        for process in processes:
            process.send_signal(signal.SIGKILL)
            told += map(int, process.stdout.read().split())
            process.wait()
            process.stdout.close()
        message = []
        found = Progress(tmp_path, message.append).read()["softmax"]["hints"]
        assert not message, "the file is whole"
        # Each of the two processes may have been killed after writing a number and before printing it.
        assert max(told) <= found <= max(told) + 2
        assert len(set(told)) == len(told), "no two saw the same number: none was lost"
        told.append(found) if found > max(told) else None


def test_a_broken_file_is_set_aside_with_a_sentence(attn, course):
    folder = course / "exercises" / ".attn"
    folder.mkdir()
    for number, text in enumerate(["{", '{"softmax": 3}', '{"softmax": {"checks": "two"}}', "[]", "\0"], start=1):
        (folder / "progress.json").write_text(text)
        output = attn("hint", "softmax")
        assert f"kept as exercises/.attn/progress.broken-{number}.json" in output and "Hint 1 of 3" in output
        assert (folder / f"progress.broken-{number}.json").read_text() == text


def test_progress_of_other_versions_is_preserved(tmp_path):
    facts = {"softmax": {"stars": [1, 2], "hints": 1}, "an_exercise_of_tomorrow": {"passed": "2030-01-01"}}
    (tmp_path / "progress.json").write_text(json.dumps(facts))
    Progress(tmp_path).change(lambda known: known["softmax"].update(hints=2))
    facts["softmax"]["hints"] = 2
    assert json.loads((tmp_path / "progress.json").read_text()) == facts


def test_without_write_permission_work_continues(tmp_path):
    (tmp_path / "file").write_text("in the way")
    notes = []
    known = Progress(tmp_path / "file" / ".attn", notes.append).change(lambda known: known.update(softmax={"hints": 1}))
    assert known == {"softmax": {"hints": 1}}
    assert len(notes) == 1 and "cannot be saved" in notes[0]


# Changed code ---------------------------------------------------------------------------------------------------

BASE = (
    "import numpy as np\n# %%\nLIMIT = 3\n# %%\ndef help(x):\n    return x\n# %%\ndef softmax(x):\n    return help(x)\n"
)
EDITS = {  # (old text, new text) -> whether the hash of the code changes
    ("return help(x)", "return help(x)  # so"): False,
    ("return help(x)", "return help(-x)"): True,
    ("return x", "return x + LIMIT"): True,
    ("LIMIT = 3", "LIMIT = 4"): False,
    ("import numpy as np", "import numpy as np\nnp.seterr(all='raise')"): True,
    ("import numpy as np", "import numpy as np\nfrom math import *"): True,
    ("import numpy as np", "'A note.'\nimport numpy as np"): False,
    ("def help(x):", "def help(x:"): True,
    ("def softmax(x):", "def softmax(x:"): True,
    ("LIMIT = 3", "def attend(x):\n    return 1"): False,
}
# (text, other text) -> whether their hashes differ. Without a definition of softmax, all text counts. If softmax uses
# an undefined name, the cells that do not parse count, too.
SAVES = {
    ("def soft_max(x):\n    return x", "def softmaxx(x):\n    return x"): True,
    ("def soft_max(x):\n    return x", "    return x"): True,
    ("x = 1", "x = 2"): True,
    ("def softmax(x):\n    return top(x)\n# %%\nx = (1", "def softmax(x):\n    return top(x)\n# %%\nx = (2"): True,
    ("def softmax(x):\n    return abs(x)\n# %%\nx = (1", "def softmax(x):\n    return abs(x)\n# %%\nx = (2"): False,
    ("def softmax(x:\n    return 1", "def softmax(x:\n    return 2"): True,
} | {(BASE, BASE.replace(*edit)): changes for edit, changes in EDITS.items()}  # fmt: skip


@pytest.mark.parametrize("texts", SAVES)
def test_a_code_hash_changes_with_code_that_the_answer_uses(texts):
    one, other = (hash_code(parse_script("a.py", text), [SOFTMAX])["softmax"] for text in texts)
    assert (one != other) is SAVES[texts]


def test_checking_the_kits_solutions_records_no_progress(attn):
    attn("check", "softmax", "--answers", ROOT / "solutions")
    assert not (ROOT / "solutions" / ".attn").exists()
