"""The results of a class in one assignment: scores from the gradebook, and results per exercise from the verdicts."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from autograder.api import ExerciseRecord, RecordLine, read_runs
from autograder.classroom.course.course import Course
from autograder.classroom.gradebook.queries import read_max_score, read_released_notebooks, read_students
from autograder.classroom.marking.judge import find_graded_exercises
from autograder.classroom.marking.submissions import read_arrival
from autograder.classroom.marking.verdicts import NotebookPlace, read_verdicts
from autograder.classroom.returns.scores import read_student_scores
from autograder.classroom.roster.counted import find_submitters, read_counted
from autograder.classroom.roster.people import People, disambiguate_names, make_name_order
from autograder.classroom.roster.until import Deadlines

# Result of an exercise -> its name in the report. The best result comes first.
RESULTS = {
    "right": "right",
    "partly": "partly right",
    "wrong": "wrong",
    "stopped": "stopped",
    "todo": "not done",
    "unread": "could not be read",
    "absent": "not handed in",
    "fault": "our fault",
}
STATES = ("in time", "late", "not graded", "missing")
# Result -> its word in the CSV table, for results that are not the outcome of an exercise.
MISSED = {"absent": "missing", "unread": "unreadable"}
STOPPED = {"timeout": "too slow", "memory": "out of memory", "killed": "ended itself"}


@dataclass
class Learner:
    id: str
    name: str  # or else the id
    submitter: str  # the learner, or the member of the group whose submission counts
    score: float | None = None  # after the late penalty; None if it is missing
    state: str = "missing"  # one of `STATES`
    late: timedelta | None = timedelta()  # None if it was late by an unknown time
    verdicts: dict[str, RecordLine] = field(default_factory=dict)  # chapter -> record (docs/records.md)

    @property
    def is_graded(self) -> bool:
        """Return whether there are verdicts, and none is an internal error, which has no points in the gradebook."""
        return bool(self.verdicts) and all(each["outcome"] != "fault" for _, each in self.iter_exercises())

    def iter_exercises(self) -> Iterator[tuple[str, ExerciseRecord]]:
        for chapter, line in self.verdicts.items():
            yield from ((chapter, exercise) for exercise in line["exercises"])


@dataclass
class ClassData:
    assignment: str
    max_score: float
    exercises: dict[str, str]  # exercise -> chapter, in the order of the assignment
    learners: list[Learner]

    @property
    def chapters(self) -> list[str]:
        return list(dict.fromkeys(self.exercises.values()))

    @property
    def scores(self) -> list[float]:
        return [learner.score for learner in self.learners if learner.score is not None]

    @property
    def problems(self) -> list[tuple[Learner, str, str]]:
        lines = [(learner, *item) for learner in self.learners for item in learner.verdicts.items()]
        return [(learner, chapter, line["problem"]) for learner, chapter, line in lines if line.get("problem")]

    def iter_results(self) -> Iterator[tuple[Learner, str, ExerciseRecord]]:
        for learner in self.learners:
            for chapter, exercise in learner.iter_exercises():
                yield learner, chapter, exercise

    def classify_result(self, learner: Learner, chapter: str, exercise: ExerciseRecord) -> str:
        if (problem := learner.verdicts[chapter].get("problem")) and not exercise["points"]:
            return "absent" if "was not handed in" in problem else "unread"
        outcome = exercise["outcome"]
        if outcome in ("passed", "unattempted", "fault"):
            return {"passed": "right", "unattempted": "todo", "fault": "fault"}[outcome]
        return "stopped" if outcome in STOPPED else "partly" if exercise["points"] else "wrong"


def read_class(course: Course, assignment: str) -> ClassData:
    submitter_of = find_submitters(course, assignment)
    names = disambiguate_names(each for each in read_students(course.query) if course.is_included(each.id))
    learners = {key: Learner(key, name, submitter_of.get(key, key)) for key, name in names.items()}
    notebooks = read_released_notebooks(course.query, assignment)
    order = sorted(notebooks, key=course.plan.get_assignment(assignment).notebook_sort_key)
    scores, records = read_student_scores(course, assignment), read_counted(course.folder, assignment)
    deadlines = Deadlines(course, assignment)
    for learner in learners.values():
        if score := scores.get(learner.id):
            learner.score = score.final_score
            record, arrival = records.get(learner.submitter), read_arrival(course, deadlines, (learner.submitter,))
            seconds = None if record is None else record.late
            learner.late = arrival.delay if record is None else None if seconds is None else timedelta(seconds=seconds)
            learner.state = "in time" if learner.late == timedelta() else "late"
    for student in submitter_of.keys() - {learner.id for learner in learners.values() if learner.state != "missing"}:
        learners.setdefault(student, Learner(student, student, submitter_of[student])).state = "not graded"
    for learner in learners.values():
        places = [NotebookPlace(learner.submitter, assignment, chapter) for chapter in order]
        lines = {place.chapter: read_verdicts(course.folder, place) for place in places}
        learner.verdicts = {chapter: line for chapter, line in lines.items() if line}
        if learner.state != "missing" and not learner.is_graded:
            learner.state, learner.score = "not graded", None
    graded_in = {chapter: find_graded_exercises(chapter, notebooks[chapter]).part for chapter in order}
    exercises = {each.name: chapter for chapter, part in graded_in.items() for each in part.exercises}
    in_order = sorted(learners.values(), key=lambda learner: make_name_order(learner.name))
    return ClassData(assignment, read_max_score(course.query, assignment), exercises, in_order)


@dataclass(frozen=True, order=True)
class Author:
    """A learner of this class or of another course, whose answers are compared with those of others."""

    id: str
    name: str
    folder: Path  # the author's folder of autograded notebooks
    is_in_class: bool = True


def read_fingerprints(course: Course, data: ClassData, last_course: Course | None) -> dict[Author, dict[str, set[int]]]:
    """Return author -> exercise -> hashes of the answer's pieces of code, for this class and `last_course`."""
    authors = [
        Author(each.id, each.name, course.folder_of("autograded", each.id, data.assignment))
        for each in data.learners
        if each.submitter == each.id and each.verdicts
    ]
    if last_course:
        names = {person.id: person.name or person.id for person in People(last_course).by_id.values()}
        for path in (last_course.folder / "autograded").glob(f"*/{data.assignment}"):
            student = path.parent.name
            name = f"{names.get(student, student)} ({last_course.folder.resolve().name})"
            authors.append(Author(student, name, path, is_in_class=False))
    answers = {}
    for author in authors:
        notebooks = [read_runs(author.folder / f"{chapter}.ipynb", data.exercises) for chapter in data.chapters]
        answers[author] = {name: runs for notebook in notebooks for name, runs in notebook.items()}
    return {author: runs for author, runs in answers.items() if runs}
