"""The session of one learner with the served book: the data that pages show, and the actions that they can request.

The files are the source of truth. When they change, their contents and verdicts are sent to the pages again.
"""

import functools
import hashlib
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autograder import api
from autograder.chapters import curriculum
from autograder.chapters.answers import Task, find_chapter, find_exercise, read_answer
from autograder.chapters.chapter import Chapter, Exercise, read_chapter
from autograder.chapters.curriculum import SELF_STUDY
from autograder.chapters.errors import OURS, InputError, sentence_of
from autograder.chapters.extras import find_missing_extra, require_libraries
from autograder.chapters.files import FileChanged, read_file_version
from autograder.questions.computed import questions_on
from autograder.serve.training import CHAPTER as TRAINED
from autograder.serve.training import TextTraining
from autograder.study import verbs
from autograder.study.answer_cell import (
    AnswerCell,
    MissingCell,
    describe_loss,
    find_answer_cell,
    read_answer_cell,
    write_answer,
)
from autograder.study.debug import BuggyFile, find_debug_folder
from autograder.study.folder import Folder, list_finished, record_located_lines, record_verdicts
from autograder.study.predict import judge_reply, record_first_try, require_unit_or_chapter
from autograder.study.versions import Versions, trim_cell
from autograder.study.watching.events import CheckerThread, FilesChanged, JobEnded, JobResult

# A sheet is an editor on a page. Its name is that of the exercise, with this prefix if it contains a bug to find.
DEBUG = "debug/"
Reply = dict[str, Any]


class LearnerSession:
    """The session of one learner, who may open several tabs. A separate thread judges one answer at a time."""

    def __init__(self, folder: Folder, notify_pages: Callable[[], None]) -> None:
        self.folder, self.changed = folder, notify_pages
        self.checker, self.lock = CheckerThread(self.handle_event), threading.RLock()
        # The number of saves from pages. A page that has an older version is outdated.
        self.version = 0
        self.results: dict[str, tuple[str, Reply]] = {}  # sheet -> the text that was judged, and its verdict
        self.checking, self.notes = "", dict[str, Reply]()
        # The number of verdicts and notes so far, by which a page tells a new one from an equal old one.
        self.number = 0
        self._bugs, self._signatures = find_debug_folder(folder.path), dict[str, tuple | None]()
        self._kept = dict[str, str]()  # sheet -> the text that is stored as a version
        self.training = TextTraining(folder, notify_pages)

    # What a page shows -----------------------------------------------------------------------------------------------

    def describe_page(self, chapter: str) -> Reply:
        """Return the data for a chapter's page. For other pages, the data only says which exercises are done."""
        reply: Reply = {"version": self.version, "folder": self._digest, "sheets": {}}
        if chapter == TRAINED:
            reply["training"] = self.training.describe()
        for exercise in (exercise for exercise in self.folder.exercises if exercise.chapter == chapter):
            reply["sheets"][exercise.name] = self._describe_sheet(exercise.name)
            if BuggyFile(exercise, self._bugs).path.exists():
                reply["sheets"][DEBUG + exercise.name] = self._describe_sheet(DEBUG + exercise.name)
        try:
            states = self.folder.read_states()
            done, target = list_finished(states), self.folder.find_current(states)
            chapters = {
                chapter.name: [sum(exercise.name in done for exercise in chapter.exercises), len(chapter.exercises)]
                for chapter in self.folder.chapters
            }
            if chapter in chapters and len({*chapters[chapter]}) == 1:
                reply["ends"] = _describe_end(find_chapter(chapter))
            following = target and {"name": target.name, "page": f"{target.chapter}.html#{target.name}"}
            return reply | {
                "done": {"chapters": chapters, "exercises": sorted(done), "total": len(states), "next": following}
            }
        except (InputError, OSError) as error:  # A file is being written, or cannot be read.
            return reply | {"trouble": _format_error(error)}

    def _describe_sheet(self, name: str) -> Reply:
        reply: Reply = {"is_checked": self.checking == name, "note": self.notes.get(name)}
        try:
            exercise, path, cell = self._find_cell(name)
        except (InputError, OSError) as error:
            return reply | {"trouble": _format_error(error)}
        if cell.source != self._kept.get(name) and cell.source != exercise.stub:
            self._kept[name] = cell.source
            self._open_versions(name).keep(cell.source)
        text, result = self.results.get(name, ("", None))
        is_open = verbs.is_unlocked(self.folder, exercise)
        reply |= {"text": cell.source, "place": f"{path}:{cell.line}", "is_open": is_open}
        return reply | {"found": result and result | {"is_of_this": text == cell.source}}

    @functools.cached_property
    def _digest(self) -> str:
        """Return a hash of the folder's path, under which a browser stores the unsaved drafts of this folder."""
        return hashlib.sha256(str(self.folder.path.resolve()).encode()).hexdigest()[:12]

    def _detect_changes(self) -> None:
        """Notify the pages if a file has changed since the last call of this method."""
        paths = [*self.folder.path.glob("*.py"), *self.folder.path.glob("*.ipynb"), *self._bugs.glob("*.py")]
        signatures = {str(path): read_file_version(path) for path in (*paths, self.folder.progress.path)}
        if signatures != self._signatures:
            self._signatures = signatures
            self.changed()

    def find_current_page(self) -> str:
        """Return the page of the current exercise, or the first page if none is started or a file cannot be read."""
        try:
            exercise = self.folder.find_current() if set(self.folder.read_states().values()) != {"to do"} else None
        except (InputError, OSError):
            exercise = None
        return f"{exercise.chapter}.html#{exercise.name}" if exercise else "index.html"

    # What a page may request -----------------------------------------------------------------------------------------

    def handle_request(self, request: Reply) -> Reply:
        """Call the action `request["do"]` with arguments from the request. Return its reply, or an error."""
        action, *names = ACTIONS.get(str(request.get("do")), (None,))
        try:
            if action is None or not all(isinstance(request.get(name), str) for name in names):
                raise InputError("This page belongs to another version: reload it")
            return action(self, *(request[name] for name in names))
        except InputError as error:
            return {"told": _format_error(error)}
        except Exception as error:  # No error may prevent the learner from working.
            return {"told": f"{OURS}{_format_error(error)}"}
        finally:
            self.changed()

    def save(self, sheet: str, base: str, text: str, confirmed: str = "") -> Reply:
        """Write a text if its file still contains `base`, the text that the page loaded. Ask before large losses."""
        with self.lock:
            (exercise, path, cell), text = self._find_cell(sheet), trim_cell(text)
            if text != cell.source:
                self._open_versions(sheet).keep(cell.source, text)
                if trim_cell(base) != cell.source:
                    return {"conflict": cell.source}
                if not confirmed and (sentence := describe_loss(cell.source, text, exercise.name)):
                    return {"loses": sentence}
                if _find_source(cell.with_source(text), path, exercise) != text:
                    raise InputError("A line that begins with # %% starts another cell: remove that line to save this")
                try:
                    write_answer(path, cell, text, self._open_versions(sheet))
                except FileChanged:
                    return {"conflict": self._find_cell(sheet)[2].source}
            self.version += 1
            return {"version": self.version}

    def keep(self, sheet: str, text: str) -> Reply:
        """Store a text that the page is about to replace, as a version."""
        self._find_exercise(sheet)
        self._open_versions(sheet).keep(trim_cell(text))
        return {}

    def versions(self, sheet: str) -> Reply:
        self._find_exercise(sheet)
        return {"versions": [asdict(version) for version in self._open_versions(sheet).read()]}

    def check(self, sheet: str, base: str, text: str, confirmed: str = "") -> Reply:
        """Save a text and start judging it. The verdict is in a later `describe_page`."""
        reply = self.save(sheet, base, text, confirmed)
        if "version" in reply:
            with self.lock:
                self.checking, self.notes = sheet, dict[str, Reply]()
                self.checker.begin(functools.partial(self._judge, sheet), sheet)
        return reply

    def stop(self) -> Reply:
        with self.lock:
            self.checker.stop()
            self._note(self.checking, "Stopped.")
            self.checking = ""
        return {}

    def hint(self, sheet: str) -> Reply:
        hints = verbs.show_next_hints(
            self.folder, self._find_exercise(sheet), "the Solution button gives up and shows it"
        )
        return {"lines": [*map(api.to_html, hints)]}

    def solution(self, sheet: str, gives_up: str) -> Reply:
        """Return the solution, or the mistake in a bug hunt. Ask for confirmation if the exercise is not done."""
        exercise = self._find_exercise(sheet)
        if sheet.startswith(DEBUG):
            return {"lines": [api.to_html(line) for line in BuggyFile(exercise, self._bugs).list_mistake_lines()]}
        show = functools.partial(verbs.show_solution, self.folder, exercise, "the Hint button")
        return _run_verb(show, "code", bool(gives_up))

    def start_over(self, sheet: str) -> Reply:
        with self.lock:
            lines = [*verbs.start_over(self.folder, self._find_exercise(sheet), "“Earlier versions”, below")]
            self.version += 1
            return {"lines": [*map(api.to_html, lines)]}

    def start_bug_hunt(self, sheet: str, gives_up: str) -> Reply:
        """Write an answer that contains a bug, which the page shows in a second editor."""
        exercise = self._find_exercise(sheet)
        hunt = functools.partial(verbs.start_bug_hunt, self.folder, exercise, "the Check button below")
        reply = _run_verb(hunt, "lines", bool(gives_up))
        if "lines" in reply:
            self.results.pop(DEBUG + exercise.name, None)
        return reply

    def predict(self, of: str, number: str, text: str) -> Reply:
        """Return the reply to a prediction, or the solution if `text` is "". The first try is recorded, "" as wrong."""
        questions = questions_on(require_unit_or_chapter(of))
        if not (number.isdecimal() and int(number) < len(questions)):
            raise InputError("This page belongs to another version: reload it")
        question = questions[int(number)]
        solution = f"It is {question.format_solution()}"
        is_right, reply = judge_reply(question, text) if text.strip() else (False, solution)
        if is_right is not None:
            record_first_try(self.folder.progress, of, int(number), is_right)
        return {"is_right": bool(is_right), "said": reply if text.strip() else f"{reply} {question.question.because}"}

    def train(self, text: str) -> Reply:
        self.training.begin(text)
        return {}

    def stop_training(self) -> Reply:
        self.training.stop()
        return {}

    # The checker's thread --------------------------------------------------------------------------------------------

    def warm(self, chapter: str) -> None:
        """Prepare a chapter's suites and worker in advance, unless the checker is busy."""
        with self.lock:
            if chapter in curriculum.CHAPTERS and self.checker.job is None:
                self.checker.begin(functools.partial(self._warm, chapter))

    def _warm(self, name: str) -> tuple:
        chapter = find_chapter(name)
        if not find_missing_extra(chapter.libraries):
            grader = api.Grader.for_chapter(name, SELF_STUDY, True)
            for exercise in chapter.exercises:
                grader.judge.suites.get_batch(exercise)
        return ()

    def _judge(self, sheet: str) -> Iterator[tuple[str, str, Reply]]:
        exercise, path, cell = self._find_cell(sheet)
        chapter = self.folder.chapter_of(exercise)
        require_libraries(chapter.libraries, chapter.name)
        if sheet.startswith(DEBUG):
            _, verdict, lesson = BuggyFile(exercise, self._bugs).judge()
            repaired = [f"Repaired. {lesson and f'This was the mistake: {lesson}'}"]
            praise = repaired if verdict.outcome == "passed" else []
            yield sheet, cell.source, _describe_verdict(verdict, cell, praise)
            return
        grader, states = api.Grader.for_chapter(chapter.name, SELF_STUDY, True), self.folder.read_states()
        task, done = Task(read_answer(path), chapter, (exercise,)), list_finished(states)
        ((_, verdict),) = verbs.check(grader, [task], done)
        yield self._record_verdict(task, verdict, cell)
        if verdict.outcome == "passed":
            exercises = tuple(
                sibling for sibling in chapter.exercises if states[sibling.name] == "changed" and sibling != exercise
            )
            tasks = [Task(task.answer, chapter, exercises)] if exercises else []
            for _, result in verbs.check(grader, tasks, done | {exercise.name}):
                yield self._record_verdict(task, result, read_answer_cell(path, chapter.get_exercise(result.exercise)))
        for finding in verbs.locate(grader, [(task, verdict)], api.Budget(api.LOCATE_SECONDS)):
            record_located_lines(self.folder.path, [finding])
            yield sheet, cell.source, _describe_verdict(verdict, cell, [])

    def _record_verdict(self, task: Task, verdict: api.ExerciseVerdict, cell: AnswerCell) -> tuple[str, str, Reply]:
        name = verdict.exercise
        is_new = verdict.outcome == "passed" and "passed" not in self.folder.progress.read().get(name, {})
        own_task = Task(task.answer, task.chapter, (task.chapter.get_exercise(name),))
        record_verdicts(self.folder.path, [(own_task, verdict)])
        praise = [task.chapter.afterword_of(name)] if is_new and task.chapter.afterword_of(name) else []
        return name, cell.source, _describe_verdict(verdict, cell, praise)

    def handle_event(self, event: object) -> None:
        """Handle an event: changed files, or a result of the checker."""
        if isinstance(event, FilesChanged):
            return self._detect_changes()
        with self.lock:
            match event:
                case JobResult(job, (name, text, view)) if job is self.checker.job:
                    self.number += 1
                    self.results[name] = text, view | {"number": self.number}
                    self.checking = "" if name == self.checking else self.checking
                case JobEnded(job, error) if job is self.checker.job and job.about and error:
                    prefix = OURS * (not isinstance(error, InputError))
                    self._note(str(job.about), f"{prefix}{_format_error(error)}")
            if isinstance(event, JobEnded) and event.job is self.checker.job:
                self.checker.job, self.checking = None, ""
        self.changed()

    def _note(self, sheet: str, text: str) -> None:
        self.number += 1
        self.notes = {sheet: {"text": text, "number": self.number}}

    def _open_versions(self, sheet: str) -> Versions:
        return Versions(self.folder.path, sheet.replace("/", "-"))

    def _find_exercise(self, sheet: str) -> Exercise:
        """Return the exercise of a sheet. Raises `UnknownName` if there is none."""
        return find_exercise(self.folder.chapters, sheet.removeprefix(DEBUG))

    def _find_cell(self, sheet: str) -> tuple[Exercise, Path, AnswerCell]:
        """Return the exercise, the file and the cell of a sheet. Raises `InputError` if the file has no such cell."""
        exercise = self._find_exercise(sheet)
        path = BuggyFile(exercise, self._bugs).path if sheet.startswith(DEBUG) else self.folder.find_file(exercise)
        return exercise, path, read_answer_cell(path, exercise)


# action -> the method, and the texts in the request that are its arguments
ACTIONS: dict[str, tuple] = {
    "save": (LearnerSession.save, "sheet", "base", "text", "confirmed"),
    "keep": (LearnerSession.keep, "sheet", "text"),
    "versions": (LearnerSession.versions, "sheet"),
    "check": (LearnerSession.check, "sheet", "base", "text", "confirmed"),
    "stop": (LearnerSession.stop,),
    "hint": (LearnerSession.hint, "sheet"),
    "solution": (LearnerSession.solution, "sheet", "gives_up"),
    "start over": (LearnerSession.start_over, "sheet"),
    "start bug hunt": (LearnerSession.start_bug_hunt, "sheet", "gives_up"),
    "predict": (LearnerSession.predict, "of", "number", "text"),
    "train": (LearnerSession.train, "text"),
    "stop training": (LearnerSession.stop_training,),
}


def _run_verb(verb: Callable[[verbs.Agrees], Iterable[verbs.Line]], reply_key: str, confirmed: bool) -> Reply:
    """Return `reply_key` -> a verb's lines, or "asks" -> its question. A "yes" comes in a new, `confirmed` request."""
    questions: list[str] = []

    def agrees(question: str) -> bool:
        questions.append(question)
        return confirmed

    lines = [*map(str, verb(agrees))]
    if questions and not confirmed:
        return {"asks": questions[0]}
    return {reply_key: lines if reply_key == "code" else [*map(api.to_html, lines)]}


def _find_source(content: bytes, path: Path, exercise: Exercise) -> str | None:
    try:
        return find_answer_cell(content, path, exercise).source
    except MissingCell:
        return None


def _format_error(error: BaseException) -> str:
    return f"{sentence_of(error).rstrip('.')}."


def _describe_verdict(verdict: api.ExerciseVerdict, cell: AnswerCell, praise: Sequence[str]) -> Reply:
    """Return a verdict as data for a page. `praise`: sentences for an exercise that passed for the first time."""
    hints = read_chapter(verdict.chapter).get_exercise(verdict.exercise).hints
    sentences = [f"{verdict.exercise}: {api.look_of(verdict).word}.", *api.sentences_of(verdict)[:1], *praise[:1]]
    place, line = api.find_place(verdict) or ("", 0)
    line_in_cell = line - cell.line + 1
    return {
        "is_right": verdict.outcome == "passed",
        "card": api.to_card(verdict, hints, with_points=False, unfolds=False),
        "said": " ".join(sentences),
        "line": line_in_cell if place == cell.place and 1 <= line_in_cell <= cell.source.count("\n") + 1 else None,
        "glad": [api.to_html(sentence) for sentence in praise],
    }


def _describe_end(chapter: Chapter) -> Reply:
    """Return the data for the end of a chapter's page: the afterword and the next chapter."""
    names = [*curriculum.CHAPTERS]
    following = names[names.index(chapter.name) + 1 :][:1]
    pages = [{"title": read_chapter(name).title, "page": f"{name}.html"} for name in following]
    return {
        "title": chapter.title,
        "made": api.to_html(chapter.afterword_of(chapter.name)),
        "next": next(iter(pages), None),
    }
