"""An error in a `course.toml` gets one sentence: the line, the value, and a correction."""

import pytest

from autograder.chapters.errors import CourseError
from autograder.classroom.course.plan_file import read_plan, remove_dates, set_key

PLAN = """
hand_in = "In Moodle."

[assignments.week-3]
chapters = ["one_query", "all_queries"]
exercises = ["softmax", "attend", "causal_mask"]
points = { softmax = 20 }
due = 2027-02-01T12:00:00+01:00
add = [
    { after = "softmax", file = "own/why.md", points = 5 },
    { after = "attend", file = "own/extra.py" },
]
"""
DUE, BOTH = "2027-02-01T12:00:00+01:00", '["one_query", "all_queries"]'
A_TIME = "write a date and time, such as 2027-02-01T12:00:00+01:00"

WRONG = [  # (old text, new text, line of the error, sentence about it)
    ('"softmax", "att', '"sofmax", "att', 6, "no chapter of week-3 has an exercise 'sofmax': did you mean softmax"),
    ("softmax = 20", "softmax = true", 7, "softmax is true: write a number above 0, and at most 10,000"),
    ("softmax = 20", "sofmax = 2", 7, "points for 'sofmax', which is not an exercise of week-3: did you mean softmax?"),
    ("{ softmax = 20 }", "3", 7, "points is 3: write a table such as { softmax = 20 }"),
    (DUE, '"monday"', 8, f'due is "monday": {A_TIME}'),
    (DUE, "monday", 8, f"this is not TOML: Unexpected character: 'm': {A_TIME}"),
    (DUE, f"{DUE}\nopens = 2028-01-01", 9, "week-3 is due before it opens: change one of the two"),
    (DUE, f'{DUE}\ncarry_forward = "no"', 9, 'carry_forward is "no": write true or false'),
    (DUE, f'{DUE}\nlate = "never"', 9, 'late is "never": write "mark" or "refuse"'),
    (DUE, f"{DUE}\nfeedback = 3", 9, "feedback is 3: write true or false, or a date and time"),
    (DUE, f"{DUE}\ndue = {DUE}", None, 'this is not TOML: Key "due" already exists'),
    ('"In Moodle."', "3", 2, "hand_in is 3: write a text between quotation marks"),
    ("hand_in", "timezone = 'Berlin'\nhand_in", 2, 'timezone is "Berlin": write a place such as'),
    ("hand_in", "timezon = 0\nhand_in", 2, "there is no key 'timezon' at the top of the file: did you mean timezone"),
    ("week-3]", '"week 3"]', 4, "'week 3' cannot name a folder: use letters, digits, . _ and -"),
    (BOTH, '"one_query"', 5, 'chapters is "one_query": write a list of names, such as ["one_query"]'),
    (BOTH, "[]", 4, 'week-3 has no chapters: write chapters = ["one_query"], or remove the assignment'),
    (BOTH, '["one_query", "one_query"]', 5, "chapters names one_query twice: take one of them out"),
    (', "causal_mask"', "", 5, "no exercise of all_queries is chosen: remove it from chapters"),
    ('file = "own/why.md", points', 'fil = "own/why.md", points', 10, "each entry of add looks like"),
    (", points = 5", ", point = 5", 10, "there is no key 'point' in an entry of add: did you mean points?"),
    ("own/extra.py", "own/why.md", 11, "own/why.md is added twice to week-3: give the second file another name"),
    ("own/extra.py", "own/none.py", 11, "own/none.py does not exist: create it, or remove the key"),
    ("[assignments.week-3]", "[[assignments.week-3]]", 13, "write one table for each assignment"),
    (PLAN, "", 1, "no assignment is left: write at least one, as [assignments.NAME]"),
]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "own").mkdir()
    for name in ("why.md", "extra.py"):
        (tmp_path / "own" / name).write_text("Words.")
    (tmp_path / "course.toml").write_text(PLAN)
    return tmp_path


@pytest.mark.parametrize(("old", "new", "line", "said"), WRONG)
def test_an_invalid_plan_is_refused_with_line_and_advice(folder, old, new, line, said):
    (folder / "course.toml").write_text(PLAN.replace(old, new, 1))
    with pytest.raises(CourseError) as error_info:
        read_plan(folder)
    place = f"course.toml, line {line}: " if line else "course.toml: "  # The line of a repeated key is unknown.
    assert place in str(error_info.value) and said in str(error_info.value)
    assert "\n" not in str(error_info.value)


def test_a_key_is_written_and_the_rest_of_the_file_stays(folder):
    commented = PLAN.replace("20 }", "20 }  # mine")
    (folder / "course.toml").write_text(f"# above\n{commented}\n[assignments.b]\nchapters = ['additive']\n# below\n")
    lines = (folder / "course.toml").read_text().splitlines()
    plan = set_key(folder, "week-3", "feedback", False)
    assert plan == read_plan(folder) and plan.assignments["week-3"].feedback is False
    now = (folder / "course.toml").read_text().splitlines()
    assert [line for line in now if line not in lines] == ["feedback = false"]
    assert [line for line in now if line in lines] == lines
    for name, key, value in (("third", "due", True), ("week-3", "due", "tomorrow")):
        with pytest.raises(CourseError, match="write"):
            set_key(folder, name, key, value)
    assert (folder / "course.toml").read_text().splitlines() == now


def test_next_years_plan_has_no_dates(folder):
    (folder / "course.toml").write_text(PLAN.replace(DUE, f"{DUE}\nopens = 2026-01-01\nfeedback = true"))
    assert f"{read_plan(folder).assignments['week-3'].opens:%d %H:%M}" == "01 00:00"  # It opens as the day begins.
    assert remove_dates(folder / "course.toml") == PLAN.replace(f"due = {DUE}\n", "")
