"""A course with four exercises of a chapter, a written question, and a teacher's own chapter."""

import zipfile

import nbformat

from autograder.chapters.chapter import BEGIN, END, read_chapter
from autograder.classroom.course.new import create_course
from support.course import Course

PLAN = """
hand_in = "Upload both notebooks in Moodle, under *Week 3*."

[assignments.week-3]
chapters = ["one_query", "heat"]
exercises = ["dot_attention_score", "softmax", "apply_attention_scores", "attend", "heat_weights"]
points = { softmax = 20 }
due = 2027-02-01T12:00:00+01:00
before = "own/welcome.md"
add = [
    { after = "softmax", file = "own/why.md", points = 5 },
    { after = "attend", file = "own/extra.py" },
]
"""


def new_own_course(folder):
    create_course(folder)
    course = Course(folder)
    course.configure(f"c.Exchange.root = {str(folder.parent)!r}\n")
    assert course.attn("own", "heat")[0] == 0
    (folder / "own" / "welcome.md").write_text("# Welcome to week 3\n")
    (folder / "own" / "why.md").write_text("Why does softmax, which takes $e^x$, subtract the largest score?\n")
    (folder / "own" / "extra.py").write_text("# %% [markdown]\n# Play with it.\n\n# %%\nplayground = 3\n")
    (folder / "course.toml").write_text(PLAN)
    code, output = course.attn("build")
    assert code == 0, output
    assert output.startswith("week-3: one_query, heat -> ")
    return course


def notebook_of(course, chapter, step="release"):
    return nbformat.read(course.folder / step / "week-3" / f"{chapter}.ipynb", as_version=4)


def answered(notebook, why=""):
    solved = {e.name: e for name in ("one_query", "heat") for e in read_chapter(name).exercises}
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id", "").removesuffix("-answer")
        if name in solved and cell.metadata.nbgrader["solution"]:
            lines = solved[name].source.splitlines()
            cell.source = "\n".join(line for line in lines if BEGIN not in line and END not in line)
        if name == "why-question":
            cell.source = why or cell.source
    return notebook


def write_moodles_files(course, why):
    """Write Moodle's worksheet and zip file. Ada solved everything and wrote `why`; Bo changed nothing."""
    sheet = "Identifier,Full name,Email address,Grade,Last modified (grade)\n"
    sheet += "Participant 9001,Ada Lovelace,ada@example.org,,-\nParticipant 9002,Bo Ek,bo@example.org,,-\n"
    (course.folder / "ws.csv").write_text(sheet)
    adas = answered(notebook_of(course, "one_query"), why=why), answered(notebook_of(course, "heat"))
    bos = notebook_of(course, "one_query"), notebook_of(course, "heat")
    with zipfile.ZipFile(course.folder / "moodle.zip", "w") as archive:
        for student, pair in (("Ada Lovelace_9001", adas), ("Bo Ek_9002", bos)):
            for name, each in zip(("one_query", "heat"), pair, strict=True):
                archive.writestr(f"{student}_assignsubmission_file_/{name}.ipynb", nbformat.writes(each))
