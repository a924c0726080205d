"""A learner's folder: its answers, their progress, and the current exercise."""

from __future__ import annotations

import contextlib
import datetime
import functools
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.chapters import curriculum
from autograder.chapters.answers import Task, find_answer, find_exercise, make_folder_error, read_answer, resolve_names
from autograder.chapters.chapter import Chapter, Exercise, read_chapter
from autograder.chapters.errors import InputError, UnreadableAnswer
from autograder.study.progress import Progress, has_same_code, hash_code
from autograder.study.versions import Versions, trim_cell
from autograder.worker.reading.answers import AnswerFile

if TYPE_CHECKING:
    from autograder.judging.verdict.verdict import ExerciseVerdict

PAUSE_SECONDS = 15 * 60  # longer breaks between two checks do not count as working time
Digests = Callable[[AnswerFile, Iterable[Exercise]], dict[str, str]]
Judged = tuple[Task, "ExerciseVerdict"]
PROGRESS_FOLDER = ".attn"  # name of the folder next to the answers
_LOCATED = ("hint", "where", "was", "becomes")  # attributes of a `SuggestedChange` that are stored
CURRENT_EXERCISE_KEY = "(here)"  # key of the current exercise in the progress file


class Folder:
    """A learner's folder of chapter files. Raises `UnreadableAnswer` if there are none."""

    def __init__(self, path: Path) -> None:
        self.path, self.chapters = Path(path), [read_chapter(name) for name in curriculum.CHAPTERS]
        if self.path.is_file():
            raise UnreadableAnswer(
                f"{path} is a file, and this is for a folder of chapters: only `attn check` takes a file. In a "
                "notebook type %hint or %solution and the exercise's name"
            )
        if not self.path.is_dir():
            raise make_folder_error(self.path)
        if not any(find_answer(self.path, chapter) for chapter in self.chapters):
            names = ", ".join(f"{chapter.name}.py" for chapter in self.chapters)
            raise UnreadableAnswer(f"{path} contains no chapter file ({names})")
        self.progress = Progress(self.path / PROGRESS_FOLDER)

    @functools.cached_property
    def exercises(self) -> list[Exercise]:
        return [exercise for chapter in self.chapters for exercise in chapter.exercises]

    def get_exercise(self, name: str) -> Exercise:
        return find_exercise(self.chapters, name)

    def find_exercises(self, names: Collection[str]) -> list[Exercise]:
        """Return the exercises that are named, or whose chapter is named; all exercises if there are no names."""
        chosen_names = resolve_names(names, self.chapters)
        return [exercise for exercise in self.exercises if chosen_names is None or exercise.name in chosen_names]

    def chapter_of(self, exercise: Exercise) -> Chapter:
        return next(chapter for chapter in self.chapters if chapter.name == exercise.chapter)

    def find_file(self, exercise: Exercise) -> Path:
        """Return the path of the file with an exercise. Raises `UnreadableAnswer` if it is missing."""
        chapter = self.chapter_of(exercise)
        path = find_answer(self.path, chapter)
        if path is None:
            missing = self.path / f"{chapter.name}.py"
            raise UnreadableAnswer(f"{missing} does not exist: `attn reset {chapter.name}` writes it again")
        return path

    def read_task(self, exercise: Exercise) -> Task:
        return Task(read_answer(self.find_file(exercise)), self.chapter_of(exercise), (exercise,))

    def read_states(self) -> dict[str, str]:
        """Return exercise -> state: "done", "changed" (since it was done), "begun" or "to do"."""
        progress, states = self.progress.read(), dict[str, str]()
        for chapter in self.chapters:
            answer = self._find_answer_to(chapter)
            for exercise in chapter.exercises:
                states[exercise.name] = classify_state(answer, exercise, progress.get(exercise.name, {}))
        return states

    def read_located_line(self, exercise: Exercise) -> dict[str, str]:
        """Return the recorded place and repair of a mistake; {} if there is no record or the answer has changed."""
        record = self.progress.read().get(exercise.name, {}).get("spot", {})
        if not all(isinstance(record.get(key), str) for key in ("text", *_LOCATED)):
            return {}
        return record if has_same_code(self.read_task(exercise).answer, exercise, record["text"]) else {}

    def read_last_visited(self) -> str | None:
        name = self.progress.read().get(CURRENT_EXERCISE_KEY, {}).get("exercise")
        return name if any(exercise.name == name for exercise in self.exercises) else None

    def go_to(self, name: str) -> None:
        self.progress.change(lambda facts: facts.setdefault(CURRENT_EXERCISE_KEY, {}).update(exercise=name))

    def find_current(self, states: dict[str, str] | None = None) -> Exercise | None:
        """Return the exercise to work on next, or None if all are done."""
        states = states or self.read_states()
        started = (exercise.name for exercise in self.exercises if states[exercise.name] in ("begun", "changed"))
        current_name = self.read_last_visited() or next(started, None)
        done = list_finished(states)
        return find_next_open(
            self.exercises, done, current_name, lambda goal: self._find_answer_to(self.chapter_of(goal))
        )

    def _find_answer_to(self, chapter: Chapter) -> AnswerFile | None:
        path = find_answer(self.path, chapter)
        return Task(read_answer(path), chapter, ()).answer if path else None


def list_finished(states: dict[str, str]) -> set[str]:
    return {name for name, state in states.items() if state == "done"}


def find_next_open(
    exercises: Sequence[Exercise],
    done: Collection[str],
    current_name: str | None,
    answer_with: Callable[[Exercise], AnswerFile | None],
) -> Exercise | None:
    """Return the first unfinished exercise cyclically from `current_name`, an unfinished one it calls, or None."""
    start = next((number for number, exercise in enumerate(exercises) if exercise.name == current_name), 0)
    goal = next((exercise for exercise in (*exercises[start:], *exercises[:start]) if exercise.name not in done), None)
    answer = answer_with(goal) if goal else None
    if goal is None or answer is None:
        return goal
    called_names = answer.find_used_names(goal.name)
    uses = (helper for helper in exercises if helper.chapter == goal.chapter and helper.name in called_names)
    return next((helper for helper in uses if helper.name not in done), goal)


def classify_state(answer: AnswerFile | None, exercise: Exercise, facts: dict) -> str:
    if answer is None or exercise.name not in answer.definitions or answer.is_untouched(exercise):
        return "to do"
    if "passed" not in facts:
        return "begun"
    return "done" if has_same_code(answer, exercise, facts.get("text", "")) else "changed"


def open_progress(folder: Path) -> Progress | None:
    """Return the progress stored in a folder, or None if `folder` is a file or the folder of the kit's solutions."""
    return Progress(folder / PROGRESS_FOLDER) if folder.is_dir() and folder.resolve() != curriculum.SOLUTIONS else None


def record_verdicts(folder: Path, verdicts: list[Judged], digests: Digests = hash_code) -> None:
    """Record checks, time and mistakes of each exercise up to its first pass, and when it passed."""
    from autograder.views.words import list_own_hints  # noqa: PLC0415  (needs NumPy, which `attn list` does not load)

    attempts = [(task, verdict) for task, verdict in verdicts if verdict.outcome not in ("unattempted", "fault")]
    if not attempts or not (progress := open_progress(folder)):
        return
    passed_attempts = [(task, verdict.exercise) for task, verdict in attempts if verdict.outcome == "passed"]
    texts = {name: digests(task.answer, task.exercises)[name] for task, name in passed_attempts}
    records, timestamp = _collect_located_lines(attempts, digests), int(time.time())
    with contextlib.suppress(InputError):  # Nothing is lost: a version is a copy, and the answer is in its file.
        for task, verdict in attempts:
            if verdict.exercise in task.answer.definitions:
                text = trim_cell(task.answer.definitions[verdict.exercise][0].source)
                Versions(folder, verdict.exercise).keep(text, passed=verdict.outcome == "passed")

    def edit(content: dict[str, dict]) -> None:
        current = content.setdefault(CURRENT_EXERCISE_KEY, {})
        worked_seconds, current["time"] = timestamp - current.get("time", timestamp), timestamp
        failed_names = [verdict.exercise for _, verdict in attempts if verdict.outcome != "passed"]
        current |= {"exercise": failed_names[0]} if failed_names else {}
        for _, verdict in attempts:
            facts = content.setdefault(verdict.exercise, {})
            facts.pop("spot", None)
            facts |= records.get(verdict.exercise, {})
            facts["own"], seen = list_own_hints(verdict), facts.get("seen", [])
            if verdict.hint and verdict.hint not in seen:
                facts["seen"] = [*seen, verdict.hint]
            if "passed" not in facts:
                facts["checks"] = facts.get("checks", 0) + 1
                facts["seconds"] = facts.get("seconds", 0) + (worked_seconds if worked_seconds < PAUSE_SECONDS else 0)
                worked_seconds = 0
                if verdict.misconception:
                    earlier_mistakes = [name for name in facts.get("mistakes", []) if name != verdict.misconception]
                    facts["mistakes"] = [*earlier_mistakes, verdict.misconception]  # The latest one comes last.
            if verdict.outcome == "passed":
                facts.setdefault("passed", datetime.date.today().isoformat())
                facts["text"] = texts[verdict.exercise]

    progress.change(edit)


def record_located_lines(folder: Path, verdicts: list[Judged], digests: Digests = hash_code) -> None:
    """Record the lines of located mistakes, to show them when the learner asks for a hint or gives up."""
    from autograder.views.words import list_own_hints  # noqa: PLC0415  (needs NumPy)

    if (lines := _collect_located_lines(verdicts, digests)) and (progress := open_progress(folder)):
        hints = {verdict.exercise: list_own_hints(verdict) for _, verdict in verdicts}
        progress.change(
            lambda content: [content.setdefault(name, {}).update(line, own=hints[name]) for name, line in lines.items()]
        )


def _collect_located_lines(verdicts: list[Judged], digests: Digests) -> dict[str, dict[str, dict[str, str]]]:
    spots: dict[str, dict[str, dict[str, str]]] = {}
    for task, verdict in verdicts:
        if verdict.change:
            text = digests(task.answer, task.exercises)[verdict.exercise]
            record = {name: getattr(verdict.change, name) for name in _LOCATED}
            spots[verdict.exercise] = {"spot": {"text": text, **record}}
    return spots
