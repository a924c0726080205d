"""The teacher's report on various classes, and its pairs of similar answers."""

import csv
import html
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.chapters.answers import read_answer
from autograder.chapters.chapter import read_chapter
from autograder.classroom.course.course import find_course
from autograder.classroom.course.new import create_course
from autograder.classroom.returns.report import find_similar_pairs, write_report
from autograder.judging.misconceptions import read_lesson
from autograder.worker.reading.requests import hash_runs
from support.course import Course
from support.grading import ANSWERS
from support.report_class import CHAPTERS, UNIT, add_class

EVIL = "<script>alert('Eve')</script>"
OWN_STYLE = '''
def softmax(scores):
    """Mine."""
    values = [float(score) for score in scores]
    top = max(values)
    shifted = {number: pow(2.718281828459045, value - top) for number, value in enumerate(values)}
    total = 0.0
    for number in sorted(shifted):
        total = total + shifted[number]
    return np.fromiter((shifted[number] / total for number in range(len(values))), dtype=float)
'''
# This is the answer above with different names, comments, layout and docstring.
DISGUISED = """
def softmax(x):
    # all my own work
    a = [float(b) for b in x]
    m = max(a)
    d = {
        i: pow(2.718281828459045, v - m)
        for i, v in enumerate(a)
    }
    s = 0.0
    for k in sorted(d):
        s = s + d[k]
    return np.fromiter((d[j] / s for j in range(len(a))), dtype=float)
"""
OTHER_STYLE = """
def softmax(scores):
    scores = np.array(scores, dtype=np.float64, copy=True)
    scores -= np.amax(scores)
    np.exp(scores, out=scores)
    while not np.isclose(scores.sum(), 1.0):
        scores /= np.add.reduce(scores)
    return np.where(scores < 0, 0, scores).astype("f8").reshape(-1)
"""
CLASS = [
    {"id": "ada", "name": ("Ada", "Amsel"), "results": {}, "code": {"softmax": OWN_STYLE}},
    {
        "id": "ben",
        "name": ("Ben", "Buche"),
        "late": 26.5,
        "penalty": 4,
        "results": {"softmax": ("wrong", 6, "no_maximum_subtracted"), "attend": ("timeout",)},
        "code": {"softmax": DISGUISED},
    },
    {
        "id": "cem",
        "results": {"softmax": ("wrong", 2, "no_maximum_subtracted"), "causal_mask": ("unattempted",)},
        "code": {"softmax": OTHER_STYLE},
    },
    {"id": "eve", "name": (EVIL, "<b>E</b>"), "results": {"attend": ("killed",), "softmax": ("fault",)}},
    {"id": "=cmd()", "name": ("Gil", ""), "problem": f"the file {EVIL} is empty", "results": {}},
    {"id": "fay", "name": ("Fay", "Falk"), "results": None},
]


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report") / "course"
    create_course(folder)
    return folder


@pytest.fixture(scope="module")
def report(empty, tmp_path_factory):
    def write(learners):
        course = find_course(shutil.copytree(empty, tmp_path_factory.mktemp("class") / "course"))
        add_class(course, learners)
        page, table = course.folder / "report.html", course.folder / "report.csv"
        write_report(course, [UNIT], page, table)
        return page.read_text(encoding="utf-8"), list(csv.DictReader(io.StringIO(table.read_text(encoding="utf-8"))))

    return write


@pytest.fixture(scope="module")
def reported(report):
    return report(CLASS)


def part(page, title):
    _, _, rest = page.partition(f"<h3>{title}</h3>")
    assert rest, f"no {title}"
    return text(rest.partition("<h3>")[0])


def text(page):
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<style>.*?</style>|<[^>]*>", " ", page, flags=re.DOTALL)))


COUNT = sum(map(len, CHAPTERS.values()))  # exercises of the unit


# One class --------------------------------------------------------------------------------------------------------


def test_the_report_counts_states_of_submissions(reported):
    section = text(reported[0])
    assert "6 learners: 3 in time, 1 late, 1 not graded, 1 missing." in section
    assert "Teach again: " in section and "(softmax; 2 of 4)" in section
    assert f"Submitted but not graded: {EVIL} <b>E</b>. attn course grade says why" in section
    assert "Late: Ben Buche." in section and "Not submitted: Fay Falk." in section
    assert re.search(rf"Ben Buche late by 1 day, 2 hours \d+ {COUNT - 2} of {COUNT}", part(reported[0], "Everybody"))


def test_scores_are_the_gradebooks_with_late_penalties(reported):
    points = sum(exercise.points for exercises in CHAPTERS.values() for exercise in exercises)
    by_name = {row["student"]: float(row["score"]) for row in reported[1] if row["score"]}
    attend = read_chapter("one_query").get_exercise("attend").points
    assert by_name["ada"] == points and by_name["ben"] == points - 2 - attend - 4
    assert "80 to 90 % 1 90 to 100 % 3" in part(reported[0], "Scores") or "90 to 100 % 2" in part(reported[0], "Scores")


def test_the_hardest_exercise_comes_first(reported):
    section = part(reported[0], "Exercises, hardest first")
    rows = re.findall(r"([a-z_]+) (?:\d+ )+(\d+) %", section)
    assert [row[0] for row in rows[:2]] == ["attend", "softmax"]
    shares = [int(row[1]) for row in rows]
    assert shares == sorted(shares) and len(rows) == COUNT
    assert shares[0] == 60 and "solved by 3 of 5" in text(reported[0])
    matches = re.findall(r'aria-label="(softmax: .*?)"', reported[0])
    assert matches == ["softmax: 2 right, 2 partly right, 1 our fault"]
    assert shares[1] == round(100 * (1 + 6 / 8 + 2 / 8 + 1) / 4)  # The mean leaves out our fault.


def test_the_report_lists_learners_by_misconception(reported):
    section = part(reported[0], "Misconceptions")
    lesson = read_lesson("softmax", "no_maximum_subtracted", includes_correct_results=False)[0].replace("`", "")
    assert re.sub(r"\s+", "", f"{lesson} softmax 2 Ben Buche, cem") in re.sub(r"\s+", "", section)


def test_equal_unknown_mistakes_are_grouped(report):
    def unnamed(fingerprint):
        message = {"fingerprint": fingerprint, "relation": "The result is what was expected times 3."}
        return {"softmax": {"outcome": "wrong", "points": 2, **message}}

    page, _ = report([{"id": name, "results": unnamed(letters)} for name, letters in zip("abc", "xyx", strict=True)])
    section = part(page, "Mistakes without a name")
    assert "2 learners make the same unnamed mistake: The result is what was expected times 3. softmax" in section
    assert "2 a , c" in section and " b " not in section
    alone, _ = report([{"id": "a", "results": unnamed("x")}])
    assert "Mistakes without a name" not in alone


def test_one_cause_in_several_exercises_counts_once(report):
    mistake = ("wrong", 2, "no_maximum_subtracted")
    both = {"softmax": mistake, "attend": ("wrong", 0, "no_maximum_subtracted")}
    page, _ = report([{"id": "ada", "results": both}, {"id": "bo", "results": {"softmax": mistake}}])
    section = part(page, "Misconceptions")
    assert "softmax , attend 2 ada , bo" in section
    assert "(softmax, attend; 2 of 2)" in text(page)


def test_a_missing_notebook_does_not_count_as_wrong(report):
    gone = dict.fromkeys((each.name for each in CHAPTERS["all_queries"]), ("raised", 0))
    missing = {"id": "bo", "results": gone, "problem": "the notebook all_queries.ipynb was not handed in"}
    page, rows = report([{"id": "ada", "results": {}}, missing])
    assert {row["outcome"] for row in rows if (row["student"], row["chapter"]) == ("bo", "all_queries")} == {"missing"}
    assert 'aria-label="causal_mask: 1 right, 1 not handed in"' in page
    assert "100 %" in part(page, "Exercises, hardest first") and "wrong" not in part(page, "Exercises, hardest first")


def test_the_report_lists_stopped_answers_and_internal_faults(reported):
    assert "Ben Buche attend too slow" in part(reported[0], "Stopped")
    assert f"{EVIL} <b>E</b> attend ended itself" in part(reported[0], "Stopped")
    assert f"{EVIL} <b>E</b> softmax our fault" in part(reported[0], "Our faults")
    assert f"Gil one_query the file {EVIL} is empty" in part(
        reported[0], "Notebooks that are missing or could not be read"
    )


def test_similar_answers_are_shown_as_no_proof(reported):
    section = part(reported[0], "Similar answers")
    assert "This proves nothing:" in section
    assert re.search(r"Ada Amsel Ben Buche 100 % \d+ softmax", section)
    assert "cem" not in section


def test_links_lead_from_the_page_to_files_that_exist(empty, tmp_path):
    course = find_course(shutil.copytree(empty, tmp_path / "course"))
    add_class(course, [{"id": "o'hara #1", "results": {"softmax": ("wrong", 6, "no_maximum_subtracted")}}])
    feedback = course.folder_of("feedback", "o'hara #1", UNIT)
    feedback.mkdir(parents=True)
    (feedback / "one_query.html").write_text("feedback")
    (tmp_path / "elsewhere").mkdir()
    page = tmp_path / "elsewhere" / "page.html"
    write_report(course, [UNIT], page)
    links = set(map(html.unescape, re.findall(r'href="([^"]*)"', page.read_text(encoding="utf-8"))))
    assert links == {
        f"../course/feedback/o%27hara%20%231/{UNIT}/one_query.html",
        f"../course/feedback/o%27hara%20%231/{UNIT}/one_query.html#softmax",
    }


def test_the_table_has_a_line_for_each_exercise_of_each_learner(reported):
    _, rows = reported
    assert len(rows) == 5 * COUNT + 1
    row = next(row for row in rows if row["student"] == "ben" and row["exercise"] == "softmax")
    assert (row["state"], row["outcome"], row["points"], row["misconception"]) == (
        "late",
        "wrong",
        "6",
        "no_maximum_subtracted",
    )
    assert next(row for row in rows if row["student"] == "fay")["exercise"] == ""
    assert not [item for row in rows for item in row.values() if item.startswith("=")]


# Other classes ----------------------------------------------------------------------------------------------------


ALL_RIGHT = "1 learner: 1 in time.", "No answer contains a known mistake.", "No two answers are unusually similar."


@pytest.mark.parametrize(
    ("learners", "sentences", "outcomes"),
    [
        ([], ("0 learners:", "Nobody is in this course yet."), []),
        (
            [{"id": who, "results": None} for who in "ab"],
            ("2 learners", "2 missing", "Nothing has been graded"),
            [""] * 2,
        ),
        ([{"id": "a", "results": {}, "code": {"softmax": OWN_STYLE}}], ALL_RIGHT, ["passed"] * COUNT),
    ],
)
def test_a_report_with_little_to_say(report, learners, sentences, outcomes):
    page, rows = report(learners)
    assert all(sentence in text(page) for sentence in sentences) and "<img" not in page
    assert [row["outcome"] for row in rows] == outcomes


def test_equal_correct_answers_are_not_reported_as_similar(report):
    solution = read_chapter("one_query").get_exercise("softmax").source
    page, _ = report([{"id": f"s{number}", "results": {}, "code": {"softmax": solution}} for number in range(2)])
    assert "No two answers are unusually similar" in part(page, "Similar answers")


def test_a_report_of_several_assignments_begins_with_what_to_teach(empty, tmp_path):
    course = find_course(shutil.copytree(empty, tmp_path / "course"))
    add_class(course, [{"id": who, "results": {"softmax": ("wrong", 6, "no_maximum_subtracted")}} for who in "ab"])
    with course.open_gradebook() as gradebook:
        gradebook.add_assignment("later")
    write_report(course, [UNIT, "later"], tmp_path / "page.html")
    before, _, behind = (tmp_path / "page.html").read_text(encoding="utf-8").partition("Teach again:")
    assert "<table" not in before and "<table" in behind


@pytest.mark.slow
def test_the_overview_table_is_written_even_if_the_pipe_is_closed(empty, tmp_path):
    course = find_course(shutil.copytree(empty, tmp_path / "course"))
    add_class(course, CLASS[:1])
    reader, writer = os.pipe()
    os.close(reader)  # `| head` closes its end early, too.
    command = [Path(sys.executable).with_name("attn"), "course", "overview", "--csv", "all.csv"]
    subprocess.run(command, cwd=course.folder, stdout=writer, stderr=subprocess.DEVNULL, check=False)
    os.close(writer)
    assert (course.folder / "all.csv").read_text(encoding="utf-8").count("\n") == 2


# Similar answers --------------------------------------------------------------------------------------------------


def pairs_of(answers, expected=None):
    results = {who: {name: hash_runs(source, name) for name, source in own.items()} for who, own in answers.items()}
    return find_similar_pairs(results, expected or {})


def test_names_comments_and_layout_do_not_hide_a_copy():
    assert hash_runs(OWN_STYLE, "softmax") == hash_runs(DISGUISED, "softmax") != set()
    pairs = pairs_of({"a": {"softmax": OWN_STYLE}, "b": {"softmax": DISGUISED}, "c": {"softmax": OTHER_STYLE}})
    assert [(pair.one, pair.other, pair.degree, [*pair.shared]) for pair in pairs] == [("a", "b", 1.0, ["softmax"])]


def test_a_copy_with_changes_is_less_alike():
    changed = DISGUISED.replace("s = s + d[k]", "s += d[k]").replace("max(a)", "sorted(a)[-1]")
    pairs = pairs_of({"a": {"softmax": OWN_STYLE}, "b": {"softmax": changed}})
    whole = pairs_of({"a": {"softmax": OWN_STYLE}, "b": {"softmax": DISGUISED}})
    assert 0.5 <= pairs[0].degree < 1 and whole[0].size > pairs[0].size > 0


def test_given_and_widespread_code_does_not_count_as_similar():
    answers = {str(number): {"softmax": OWN_STYLE} for number in range(5)}
    assert pairs_of(answers) == []
    two = {"a": {"softmax": OWN_STYLE}, "b": {"softmax": DISGUISED}}
    assert pairs_of(two, {"softmax": (OWN_STYLE,)}) == []
    assert len(pairs_of(two)) == 1


def test_short_answers_are_alike_by_nature():
    short = "def softmax(x):\n    return np.exp(x) / np.exp(x).sum()"
    assert pairs_of({"a": {"softmax": short}, "b": {"softmax": short}}) == []


@pytest.mark.parametrize(
    "source",
    [
        "def softmax(:",
        "",
        "x = 1",
        "def other(): pass",
        "\0",
        "(" * 500,
        "def softmax(x): return [" + "x, " * 9000 + "]",
    ],
)
def test_unreadable_code_has_no_fingerprint(source):
    assert hash_runs(source, "softmax") == set()


@pytest.mark.slow
@pytest.mark.needs("chromium")
def test_long_names_fit_a_phone(report):
    from support.browser import chromium  # noqa: PLC0415  (may not be installed)

    long = ("Maria Maximiliane Alexandra", "von und zu Buche-Falkenhausen")
    page, _ = report([each | {"name": long} for each in CLASS])
    with chromium() as browser:
        tab = browser.new_page(viewport={"width": 390, "height": 800})
        tab.set_content(page)
        assert tab.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.filterwarnings("ignore")
def test_similar_answers_side_by_side_with_last_years(empty, tmp_path):
    course = find_course(shutil.copytree(empty, tmp_path / "course"))
    add_class(course, [CLASS[0], CLASS[2]])
    last = find_course(shutil.copytree(empty, tmp_path / "last-year"))
    add_class(last, [CLASS[1] | {"name": ("<i>Ben", "Buche")}, CLASS[1] | {"id": "bea", "name": ("Bea", "Beck")}])
    page = tmp_path / "similar.html"
    assert str(page) in Course(course.folder).does("report", UNIT, "--similar", page, "--last", last.folder)
    content = page.read_text(encoding="utf-8")
    assert "<i>" not in content and "<script" not in content
    assert re.search(r"Ada Amsel and &lt;i&gt;Ben Buche \(last-year\): 100 %, from \d+ pieces", content)
    assert "Bea Beck (last-year) and" not in content  # Both answers are from last year.
    marked = re.findall(r"<mark>(.*?)</mark>", content)
    assert any("total = total + shifted" in line for line in marked) and any("s = s + d[k]" in line for line in marked)
    assert not any("all my own work" in line or "Mine." in line for line in marked)
    assert "is not a course" in Course(course.folder).refuses("report", UNIT, "--last", tmp_path)


def read_labelled_answers():
    """Return the labelled answers, which were written independently of each other."""
    answers = {}
    for path in sorted((ANSWERS / "one_query").glob("*.py")):
        cells = [cell.source for cell in read_answer(path).cells]
        answers[path.stem] = {
            exercise.name: source
            for exercise in read_chapter("one_query").exercises
            for source in cells
            if re.search(rf"^def {exercise.name}\b", source, re.MULTILINE)
        }
    return answers


def test_labelled_answers_of_many_styles_are_not_alike():
    answers = read_labelled_answers()
    solutions = {exercise.name: (exercise.stub, exercise.source) for exercise in read_chapter("one_query").exercises}
    assert len(answers) >= 5
    assert pairs_of(answers, solutions) == []
