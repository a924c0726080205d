"""Which feedback pages say what they would say if they were written anew: these are left alone."""

import hashlib
import json
from collections import defaultdict
from pathlib import Path

from autograder.chapters import curriculum
from autograder.chapters.files import write_whole

PAGES = ".pages.json"  # in the course's folder: what each page was made of


def bases_of(course, assignment, students):
    """Student -> stands for all that the pages of an assignment are made of."""
    known, code = _in_gradebook(course, assignment), _code(course, assignment)
    found = {}
    for student in students:
        folder = course.folder_of("autograded", student, assignment)
        files = [(path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in sorted(folder.glob("*.ipynb"))]
        found[student] = hashlib.sha256(repr((code, files, known.get(student))).encode()).hexdigest()[:16]
    return found


def _code(course, assignment):
    """Stands for what pages are written with."""
    here, digest = Path(__file__).parent, hashlib.sha256()
    paths = [*here.glob("*.py"), *(here.parent / "templates").glob("feedback*")]
    paths += [curriculum.solution_of(chapter) for chapter in course.plan.assignment(assignment).chapters]
    for path in sorted(paths):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _in_gradebook(course, assignment):
    """Student -> all that the gradebook says of this assignment and them, in a few questions."""
    from nbgrader.api import (  # noqa: PLC0415
        Assignment,
        Comment,
        Grade,
        GradeCell,
        Student,
        SubmittedAssignment,
        SubmittedNotebook,
        TaskCell,
    )

    who, found = SubmittedAssignment.student_id, defaultdict(list)
    with course.gradebook() as gradebook:
        parts = (
            (Grade, Grade.cell_id, Grade.auto_score, Grade.manual_score, Grade.extra_credit, Grade.needs_manual_grade),
            (Comment, Comment.cell_id, Comment.auto_comment, Comment.manual_comment),
        )
        queries = [
            gradebook.db.query(who, *columns).join(SubmittedNotebook, SubmittedNotebook.id == kind.notebook_id)
            for kind, *columns in parts
        ]
        queries.append(
            gradebook.db.query(who, SubmittedNotebook.notebook_id, SubmittedNotebook.late_submission_penalty)
        )
        for query in queries:
            query = query.join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
            query = query.join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
            for student, *row in query.filter(Assignment.name == assignment):
                found[student].append(tuple(row))
        worth = [sorted(map(tuple, gradebook.db.query(kind.id, kind.max_score))) for kind in (GradeCell, TaskCell)]
        names = {each[0]: tuple(each) for each in gradebook.db.query(Student.id, Student.first_name, Student.last_name)}
    return {student: (names.get(student), worth, sorted(map(repr, rows))) for student, rows in found.items()}


def read_known(course):
    """ "Assignment/student" -> what its pages were made of."""
    try:
        return json.loads((course.folder / PAGES).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def remember(course, made):
    """Add to that."""
    write_whole(course.folder / PAGES, json.dumps(read_known(course) | made, indent=0))
