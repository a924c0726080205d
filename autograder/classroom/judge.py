"""Judges one notebook of one submission: the verdicts for the record, and what its page shows under each exercise."""

import functools
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

from autograder import sandbox
from autograder.answer_file import AnswerFile, notebook_answer
from autograder.chapter import read_chapter
from autograder.classroom.feedback import feedback_html
from autograder.curriculum import CHAPTERS
from autograder.errors import KitFault, UnreadableAnswer
from autograder.grading import Grader, Task
from autograder.process import zygote_for
from autograder.record import answer_key, record_line
from autograder.show import clean
from autograder.verdict import ExerciseVerdict, TestVerdict


@dataclass(frozen=True)
class Place:
    """Which notebook of which submission.

    Attributes
    ----------
    student, assignment, chapter : str
    timestamp : str
        When it was handed in; empty where nobody knows.
    """

    student: str
    assignment: str
    chapter: str
    timestamp: str = ""

    @property
    def path(self):
        """Where the notebook lies in the course's folder."""
        return f"submitted/{self.student}/{self.assignment}/{self.chapter}.ipynb"

    def verdicts_in(self, course):
        """Where its verdicts lie; docs/records.md describes the file."""
        return Path(course) / "verdicts" / self.student / self.assignment / f"{self.chapter}.json"


@dataclass(frozen=True)
class Judged:
    """What was found about one notebook.

    Attributes
    ----------
    line : dict
        The object of docs/records.md.
    shown : dict
        Exercise -> the HTML under its grade cell.
    """

    line: dict
    shown: dict


def read_for_grading(path, notebook):
    """The answer that a restored notebook holds, and why there is none: one of the two is empty."""
    from autograder.classroom.restore import require_readable  # noqa: PLC0415  (imports nbformat)

    try:
        require_readable(notebook)
        return notebook_answer(path, notebook), ""
    except UnreadableAnswer as error:
        return AnswerFile(path, ()), clean(error)


def read_timestamp(folder):
    """When a submission was handed in, as nbgrader's `timestamp.txt` in its folder says; empty where it does not."""
    try:
        return (Path(folder) / "timestamp.txt").read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError):
        return ""


def known_key(place, answer, secret):
    """What a judgement is good for: this answer of this learner, these suites, this secret."""
    return answer_key(answer, kit_chapter(place.chapter), secret)


def kit_chapter(name):
    """The chapter behind a notebook, or a fault where there is none."""
    if name not in CHAPTERS:
        raise KitFault(f"{name} is no chapter of this kit: grade it in a course of its own")
    return read_chapter(name)


def judge(place, answer, problem, secret):
    """Judge one answer on its chapter's exercises.

    Parameters
    ----------
    place : Place
    answer : AnswerFile
        Empty where there is a problem.
    problem : str
        Why the notebook could not be read, as a sentence without its full stop.
    secret : bytes

    Returns
    -------
    Judged
        With the outcome ``fault`` where the grader failed.
    """
    started, chapter, verdicts = time.perf_counter(), kit_chapter(place.chapter), []
    task = Task(answer, chapter, chapter.exercises)
    _grader(place.chapter, secret).grade(task, lambda task, verdict, session: verdicts.append(verdict))
    if problem:
        verdicts = [_not_read(verdict, f"{problem[0].upper()}{problem[1:]}.") for verdict in verdicts]
    line = {
        "student": place.student,
        "assignment": place.assignment,
        "timestamp": place.timestamp,
        "problem": problem,
        "seconds": round(time.perf_counter() - started, 4),
        **record_line(place.path, chapter, verdicts, known_key(place, answer, secret), sandbox.name()),
    }
    return Judged(line, {verdict.exercise: feedback_html(verdict) for verdict in verdicts})


def write_verdicts(course, place, line):
    """Put the verdicts where the course keeps them, whole or not at all."""
    path = place.verdicts_in(course)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps(line) + "\n", encoding="utf-8")
    os.replace(beside, path)


def read_verdicts(course, place):
    """The object that `write_verdicts` wrote, or None."""
    try:
        return json.loads(place.verdicts_in(course).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


@functools.lru_cache(maxsize=8)
def _grader(chapter_name, secret):
    """Suites are collected once for all submissions to a chapter."""
    chapter = read_chapter(chapter_name)
    zygote_for(chapter.libraries)  # starts while the suites are collected
    return Grader(chapter.exercises, secret)


def _not_read(verdict, sentence):
    tests = [TestVerdict(test.name, "raised", 0, test.max_points, sentence) for test in verdict.tests]
    return ExerciseVerdict(verdict.chapter, verdict.exercise, tests, verdict.seconds)
