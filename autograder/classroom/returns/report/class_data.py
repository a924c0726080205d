"""A class's results in one assignment: scores from nbgrader's gradebook, findings from the verdicts."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from autograder.api import ExerciseRecord, Line, read_runs
from autograder.classroom.course.course import Course
from autograder.classroom.gradebook.queries import max_score, released, students
from autograder.classroom.marking.judge import asked_in
from autograder.classroom.marking.submissions import arrival_of
from autograder.classroom.marking.verdicts import Place, read_verdicts
from autograder.classroom.returns.scores import standings_of_all
from autograder.classroom.roster.groups import authors, read_counted
from autograder.classroom.roster.people import People, by_name, full_name, told_apart
from autograder.classroom.roster.until import Deadlines

# Results of an exercise, best first: key -> word.
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
STATES = ("in time", "late", "not graded", "missing")  # of a submission
MISSED = {"absent": "missing", "unread": "unreadable"}  # shown in the CSV instead of an outcome
STOPPED = {"timeout": "too slow", "memory": "out of memory", "killed": "ended itself"}


@dataclass
class Learner:
    id: str  # nbgrader's id, also used as the name if there is no other
    name: str
    author: str  # the id of the submitter whose work counts: their own, or a group member's
    score: float | None = None  # the gradebook's score minus the late penalty; None if there is no score
    state: str = "missing"  # one of `STATES`
    late: timedelta | None = timedelta()  # None if it was late by an unknown amount
    verdicts: dict[str, Line] = field(default_factory=dict)  # chapter -> the object of docs/records.md

    @property
    def is_graded(self) -> bool:
        """Return whether there are verdicts without internal errors, which would keep them out of the gradebook."""
        return bool(self.verdicts) and all(each["outcome"] != "fault" for _, each in self.exercises())

    def exercises(self) -> Iterator[tuple[str, ExerciseRecord]]:
        for chapter, line in self.verdicts.items():
            yield from ((chapter, exercise) for exercise in line["exercises"])


@dataclass
class ClassData:
    assignment: str
    max_score: float
    exercises: dict[str, str]  # exercise -> chapter, in the order of the course
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

    def found(self) -> Iterator[tuple[Learner, str, ExerciseRecord]]:
        for learner in self.learners:
            for chapter, exercise in learner.exercises():
                yield learner, chapter, exercise

    def result(self, learner: Learner, chapter: str, exercise: ExerciseRecord) -> str:
        """Return the key in `RESULTS` of an exercise; missing and unreadable notebooks have their own."""
        if (problem := learner.verdicts[chapter].get("problem")) and not exercise["points"]:
            return "absent" if "was not handed in" in problem else "unread"
        outcome = exercise["outcome"]
        if outcome in ("passed", "unattempted", "fault"):
            return {"passed": "right", "unattempted": "todo", "fault": "fault"}[outcome]
        return "stopped" if outcome in STOPPED else "partly" if exercise["points"] else "wrong"


def read_class(course: Course, assignment: str) -> ClassData:
    counting = authors(course, assignment)
    included = [each for each in students(course.read) if course.is_included(each.id)]
    names = told_apart({student.id: full_name(student) or student.id for student in included})
    learners = {who: Learner(who, name, counting.get(who, who)) for who, name in names.items()}
    notebooks = released(course.read, assignment)
    order = sorted(notebooks, key=course.plan.assignment(assignment).place_of)
    found, counted = standings_of_all(course, assignment), read_counted(course.folder, assignment)
    deadlines = Deadlines(course, assignment)
    for learner in learners.values():
        if standing := found.get(learner.id):
            learner.score = standing.counts
            was, arrival = counted.get(learner.author), arrival_of(course, deadlines, (learner.author,))
            learner.late = arrival.late if was is None else None if was.late is None else timedelta(seconds=was.late)
            learner.state = "in time" if learner.late == timedelta() else "late"
    for student in counting.keys() - {learner.id for learner in learners.values() if learner.state != "missing"}:
        learners.setdefault(student, Learner(student, student, counting[student])).state = "not graded"
    for learner in learners.values():
        places = [Place(learner.author, assignment, chapter) for chapter in order]
        lines = {place.chapter: read_verdicts(course.folder, place) for place in places}
        learner.verdicts = {chapter: line for chapter, line in lines.items() if line}
        if learner.state != "missing" and not learner.is_graded:
            learner.state, learner.score = "not graded", None
    asked = {chapter: asked_in(chapter, notebooks[chapter].tests()).part.exercises for chapter in order}
    exercises = {each.name: chapter for chapter in order for each in asked[chapter]}
    in_order = sorted(learners.values(), key=lambda learner: by_name(learner.name))
    return ClassData(assignment, max_score(course.read, assignment), exercises, in_order)


@dataclass(frozen=True, order=True)
class Author:
    """An author of compared answers, in this class or in another course."""

    id: str
    name: str
    folder: Path  # with autograded notebooks
    is_here: bool = True


def read_answers(course: Course, data: ClassData, last: Course | None = None) -> dict[Author, dict[str, set[int]]]:
    """Return author -> exercise -> token runs of the answer, including another course's answers."""
    authors = [
        Author(each.id, each.name, course.folder_of("autograded", each.id, data.assignment))
        for each in data.learners
        if each.author == each.id and each.verdicts
    ]
    if last:
        names = {person.id: person.name or person.id for person in People(last).by_id.values()}
        for path in (last.folder / "autograded").glob(f"*/{data.assignment}"):
            who = path.parent.name
            authors.append(Author(who, f"{names.get(who, who)} ({last.folder.resolve().name})", path, is_here=False))
    answers = {}
    for author in authors:
        found = [read_runs(author.folder / f"{chapter}.ipynb", data.exercises) for chapter in data.chapters]
        answers[author] = {name: its for each in found for name, its in each.items()}
    return {author: found for author, found in answers.items() if found}
