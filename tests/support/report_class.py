"""Creation of a graded class of any size (gradebook, verdicts and notebooks) without grading."""

import json
from datetime import datetime, timedelta

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.classroom.marking.verdicts import NotebookPlace, write_verdicts

UNIT = "attention-basics"
DUE = datetime(2026, 10, 5, 12)
CHAPTERS = {name: read_chapter(name).exercises for name in curriculum.UNITS[UNIT]}


def found(exercise, outcome="passed", points=None, misconception=None, **more):
    """Return one learner's result of one exercise, in the form in which verdicts are recorded."""
    points = (exercise.points if outcome == "passed" else 0) if points is None else points
    return {
        "exercise": exercise.name,
        "outcome": outcome,
        "points": points,
        "max_points": exercise.points,
        "misconception": misconception,
        "message": "",
        "seconds": 0.1,
        "tests": [],
        **more,
    }


def add_class(course, learners):
    """Enter learners: dicts of ``id``, ``name``, ``late`` hours, ``penalty``, ``results`` (see `found`), ``code``."""
    from nbgrader.api import Assignment, GradeCell, Notebook, Student  # noqa: PLC0415  (slow to import)

    with course.open_gradebook() as gradebook:
        unit = Assignment(name=UNIT, duedate=DUE)
        cells = {}
        for chapter, exercises in CHAPTERS.items():
            notebook = Notebook(name=chapter, assignment=unit)
            for each in exercises:
                cells[each.name] = GradeCell(name=each.name, notebook=notebook, max_score=each.points, cell_type="code")
        gradebook.db.add(unit)
        for learner in learners:
            first, last = learner.get("name", (None, None))
            student = Student(id=learner["id"], first_name=first, last_name=last)
            gradebook.db.add(student)
            if learner.get("results") is not None:
                _hand_in(course, gradebook, learner, student, unit, cells)
        gradebook.db.commit()


def _found_of(learner, exercise):
    """Return one learner's result of an exercise: ``results`` has the arguments of `found`, in a tuple or dict."""
    given = learner["results"].get(exercise.name, ())
    return found(exercise, **given) if isinstance(given, dict) else found(exercise, *given)


def _hand_in(course, gradebook, learner, student, unit, cells):
    from nbgrader.api import Grade, SubmittedAssignment, SubmittedNotebook  # noqa: PLC0415  (slow to import)

    handed_in = DUE + timedelta(hours=learner.get("late", -1))
    submission = SubmittedAssignment(student=student, assignment=unit, timestamp=handed_in)
    gradebook.db.add(submission)
    folder = course.folder_of("submitted", learner["id"], UNIT)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "timestamp.txt").write_text(f"{handed_in} UTC")
    for notebook in unit.notebooks:
        place = NotebookPlace(learner["id"], UNIT, notebook.name)
        verdicts = [_found_of(learner, each) for each in CHAPTERS[notebook.name]]
        penalty = learner.get("penalty", 0) if notebook.name == "one_query" else 0
        graded = SubmittedNotebook(assignment=submission, notebook=notebook, late_submission_penalty=penalty)
        gradebook.db.add(graded)
        points = [(cells[each["exercise"]], each["points"]) for each in verdicts]
        gradebook.db.add_all([Grade(notebook=graded, cell=cell, auto_score=score) for cell, score in points])
        line = {"student": place.student, "chapter": place.chapter, "problem": learner.get("problem", "")}
        write_verdicts(course.folder, place, {**line, "exercises": verdicts})
        names = {each.name for each in CHAPTERS[notebook.name]}
        sources = [source for name, source in learner.get("code", {}).items() if name in names]
        code = [{"cell_type": "code", "source": source, "metadata": {}} for source in sources]
        folder = course.folder_of("autograded", learner["id"], UNIT)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{notebook.name}.ipynb").write_text(json.dumps({"cells": code}))
