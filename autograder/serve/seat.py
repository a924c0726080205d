"""A learner's folder as the pages of the book see it, and the actions that they may request.

The files are the only truth: a page receives their contents and findings again whenever they change.
"""

import functools
import hashlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from autograder.api import LOCATE_SECONDS, Budget, ExerciseVerdict, Grader, to_html
from autograder.chapters import curriculum
from autograder.chapters.answers import Task, find_chapter, find_exercise, read_answer
from autograder.chapters.chapter import Exercise
from autograder.chapters.curriculum import SELF_STUDY
from autograder.chapters.errors import OURS, InputError, sentence_of
from autograder.chapters.extras import find_missing_extra, require_libraries
from autograder.chapters.files import ChangedFile, file_version
from autograder.questions.computed import questions_on
from autograder.serve.training import CHAPTER as TRAINED
from autograder.serve.training import Training
from autograder.serve.verdict_view import end_of, view_of
from autograder.study import verbs
from autograder.study.cell import AnswerCell, NoCell, find_answer_cell, read_answer_cell, trim_cell
from autograder.study.debug import Case, find_debug_folder
from autograder.study.folder import Folder, list_finished, record_spots, record_verdicts
from autograder.study.predict import judge_reply, record_first_try, require_subject
from autograder.study.versions import Versions, describe_loss, write_answer
from autograder.study.watching.events import Checker, FilesChanged, JobEnded, JobResult

DEBUG = "debug/"  # prefix of the sheet for a bug to find; an answer's sheet is named after its exercise
Reply = dict[str, Any]


class LearnerSession:
    """One learner with any number of tabs; requests to a worker run one by one in the checker's thread."""

    def __init__(self, folder: Folder, changed: Callable[[], None]) -> None:
        self.folder, self.changed = folder, changed
        self.checker, self.lock = Checker(self.take), threading.RLock()
        self.version = 0  # counts writes from pages; anything read at an older version is stale
        self.results: dict[str, tuple[str, Reply]] = {}  # with the text that was judged
        self.checking, self.notes = "", dict[str, Reply]()
        self.number = 0  # counts verdicts and notes, to distinguish equal ones
        self._bugs, self._seen = find_debug_folder(folder.path), dict[str, tuple | None]()
        self._kept = dict[str, str]()  # texts that are stored as versions
        self.training = Training(folder, changed)

    # What a page is told ---------------------------------------------------------------------------------------------

    def page(self, chapter: str) -> Reply:
        """Return what a chapter's page shows of this folder; for other pages, only what is done."""
        reply: Reply = {"version": self.version, "folder": self._digest, "sheets": {}}
        if chapter == TRAINED:
            reply["training"] = self.training.view()
        for exercise in (exercise for exercise in self.folder.exercises if exercise.chapter == chapter):
            reply["sheets"][exercise.name] = self._sheet(exercise.name)
            if Case(exercise, self._bugs).path.exists():
                reply["sheets"][DEBUG + exercise.name] = self._sheet(DEBUG + exercise.name)
        try:
            states = self.folder.read_states()
            done, ahead = list_finished(states), self.folder.current(states)
            chapters = {
                chapter.name: [sum(exercise.name in done for exercise in chapter.exercises), len(chapter.exercises)]
                for chapter in self.folder.chapters
            }
            if chapter in chapters and len({*chapters[chapter]}) == 1:
                reply["ends"] = end_of(find_chapter(chapter))
            following = ahead and {"name": ahead.name, "page": f"{ahead.chapter}.html#{ahead.name}"}
            return reply | {
                "done": {"chapters": chapters, "exercises": sorted(done), "total": len(states), "next": following}
            }
        except (InputError, OSError) as error:  # a file is being written, or is unreadable
            return reply | {"trouble": _sentence(error)}

    def _sheet(self, name: str) -> Reply:
        reply: Reply = {"is_checked": self.checking == name, "note": self.notes.get(name)}
        try:
            exercise, path, cell = self._place(name)
        except (InputError, OSError) as error:
            return reply | {"trouble": _sentence(error)}
        if cell.source != self._kept.get(name) and cell.source != exercise.stub:
            self._kept[name] = cell.source
            self._versions(name).keep(cell.source)  # because another program may overwrite it
        text, result = self.results.get(name, ("", None))
        is_open = verbs.is_unlocked(self.folder, exercise)
        reply |= {"text": cell.source, "place": f"{path}:{cell.line}", "is_open": is_open}
        return reply | {"found": result and result | {"is_of_this": text == cell.source}}

    @functools.cached_property
    def _digest(self) -> str:
        """Return a hash that distinguishes drafts of this folder from another's at the same address in a browser."""
        return hashlib.sha256(str(self.folder.path.resolve()).encode()).hexdigest()[:12]

    def _detect_changes(self) -> None:
        """Tell the pages if a file has changed since the last look."""
        paths = [*self.folder.path.glob("*.py"), *self.folder.path.glob("*.ipynb"), *self._bugs.glob("*.py")]
        signatures = {str(path): file_version(path) for path in (*paths, self.folder.progress.path)}
        if signatures != self._seen:
            self._seen = signatures
            self.changed()

    def here(self) -> str:
        """Return the page of the current exercise; the first page before the start, or if files are unreadable."""
        try:
            at = self.folder.current() if set(self.folder.read_states().values()) != {"to do"} else None
        except (InputError, OSError):  # each page says which file, and why
            at = None
        return f"{at.chapter}.html#{at.name}" if at else "index.html"

    # What a page may ask ---------------------------------------------------------------------------------------------

    def do(self, request: Reply) -> Reply:
        """Do what a page requests; return errors as a sentence."""
        act = ACTIONS.get(str(request.get("do")))
        names = [name for name in act.__annotations__ if name != "return"] if act else []
        try:
            if act is None or not all(isinstance(request.get(name), str) for name in names):
                raise InputError("This page belongs to another version: reload it")
            return act(self, *(request[name] for name in names))
        except InputError as error:
            return {"told": _sentence(error)}
        except Exception as error:  # the learner can continue typing
            return {"told": f"{OURS}{_sentence(error)}"}
        finally:
            self.changed()

    def save(self, sheet: str, base: str, text: str, confirmed: str = "") -> Reply:
        """Write a text to its file if the file holds what the page last saw; large losses need confirmation."""
        with self.lock:
            (exercise, path, cell), text = self._place(sheet), trim_cell(text)
            if text != cell.source:
                self._versions(sheet).keep(cell.source, text)  # regardless of the decision about them
                if trim_cell(base) != cell.source:
                    return {"conflict": cell.source}
                if not confirmed and (sentence := describe_loss(cell.source, text, exercise.name)):
                    return {"loses": sentence}
                if _source_in(cell.with_source(text), path, exercise) != text:
                    raise InputError("A line that begins with # %% begins another cell: without it this is saved")
                try:
                    write_answer(path, cell, text, self._versions(sheet))
                except ChangedFile:
                    return {"conflict": self._place(sheet)[2].source}
            self.version += 1
            return {"version": self.version}

    def keep(self, sheet: str, text: str) -> Reply:
        """Store a text that the page no longer shows."""
        self._exercise(sheet)
        self._versions(sheet).keep(trim_cell(text))
        return {}

    def versions(self, sheet: str) -> Reply:
        self._exercise(sheet)
        return {"versions": [asdict(version) for version in self._versions(sheet).read()]}

    def check(self, sheet: str, base: str, text: str, confirmed: str = "") -> Reply:
        """Save a text and start judging it; the verdict comes with a later page."""
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
        hints = verbs.show_next_hints(self.folder, self._exercise(sheet), "the button Solution gives up and shows it")
        return {"lines": [*map(to_html, hints)]}

    def solution(self, sheet: str, gives_up: str) -> Reply:
        """Return the solution with the answer, or the mistake to find; ask first if the exercise is not done."""
        exercise = self._exercise(sheet)
        if sheet.startswith(DEBUG):
            return {"lines": [to_html(line) for line in Case(exercise, self._bugs).mistake()]}
        return _reply(verbs.show_solution(self.folder, exercise, "the button Hint"), "code", gives_up)

    def start_over(self, sheet: str) -> Reply:
        with self.lock:
            lines = [*verbs.start_over(self.folder, self._exercise(sheet), "“Earlier versions”, below")]
            self.version += 1
            return {"lines": [*map(to_html, lines)]}

    def find_bug(self, sheet: str, gives_up: str) -> Reply:
        """Write a case to repair, which the page shows as another sheet."""
        exercise = self._exercise(sheet)
        reply = _reply(verbs.find_bug(self.folder, exercise, "the button Check, below"), "lines", gives_up)
        if "lines" in reply:
            self.results.pop(DEBUG + exercise.name, None)
        return reply

    def predict(self, of: str, number: str, text: str) -> Reply:
        """Return the reply to a prediction, or the answer without one. The first try is recorded."""
        questions = questions_on(require_subject(of))
        if not (number.isdecimal() and int(number) < len(questions)):
            raise InputError("This page belongs to another version: reload it")
        known = questions[int(number)]
        is_right, said = judge_reply(known, text) if text.strip() else (False, f"It is {known.solution()}")
        if is_right is not None:
            record_first_try(self.folder.progress, of, int(number), is_right)
        return {"is_right": bool(is_right), "said": said if text.strip() else f"{said} {known.question.because}"}

    def train(self, text: str) -> Reply:
        self.training.begin(text)
        return {}

    def stop_training(self) -> Reply:
        self.training.stop()
        return {}

    # The checker's thread --------------------------------------------------------------------------------------------

    def warm(self, chapter: str) -> None:
        """Prepare what checks of a chapter need, if the checker is idle."""
        with self.lock:
            if chapter in curriculum.CHAPTERS and self.checker.job is None:
                self.checker.begin(functools.partial(self._warm, chapter))

    def _warm(self, name: str) -> tuple:
        chapter = find_chapter(name)
        if not find_missing_extra(chapter.libraries):
            grader = Grader.for_chapter(name, SELF_STUDY, True)
            for exercise in chapter.exercises:
                grader.judge.suites.batch_of(exercise)
        return ()

    def _judge(self, sheet: str) -> Iterator[tuple[str, str, Reply]]:
        exercise, path, cell = self._place(sheet)
        chapter = self.folder.chapter_of(exercise)
        require_libraries(chapter.libraries, chapter.name)
        if sheet.startswith(DEBUG):
            _, verdict, lesson = Case(exercise, self._bugs).judge()
            repaired = [f"Repaired. {lesson and f'This was the mistake: {lesson}'}"]
            glad = repaired if verdict.outcome == "passed" else []
            yield sheet, cell.source, view_of(verdict, cell, glad)
            return
        grader, states = Grader.for_chapter(chapter.name, SELF_STUDY, True), self.folder.read_states()
        task, done = Task(read_answer(path), chapter, (exercise,)), list_finished(states)
        ((_, verdict),) = verbs.check(grader, [task], done)
        yield self._result(task, verdict, cell)
        if verdict.outcome == "passed":  # exercises that were done with another text of this one
            others = tuple(
                sibling for sibling in chapter.exercises if states[sibling.name] == "changed" and sibling != exercise
            )
            rest = [Task(task.answer, chapter, others)] if others else []
            for _, other in verbs.check(grader, rest, done | {exercise.name}):
                yield self._result(task, other, read_answer_cell(path, chapter.exercise(other.exercise)))
        for judged in verbs.locate(grader, [(task, verdict)], Budget(LOCATE_SECONDS)):
            record_spots(self.folder.path, [judged])
            yield sheet, cell.source, view_of(verdict, cell, [])

    def _result(self, task: Task, verdict: ExerciseVerdict, cell: AnswerCell) -> tuple[str, str, Reply]:
        name = verdict.exercise
        is_new = verdict.outcome == "passed" and "passed" not in self.folder.progress.read().get(name, {})
        record_verdicts(self.folder.path, [(Task(task.answer, task.chapter, (task.chapter.exercise(name),)), verdict)])
        glad = [task.chapter.afterword_of(name)] if is_new and task.chapter.afterword_of(name) else []
        return name, cell.source, view_of(verdict, cell, glad)

    def take(self, event: object) -> None:
        """Handle changed files, or results of the checker."""
        if isinstance(event, FilesChanged):
            return self._detect_changes()
        with self.lock:
            match event:
                case JobResult(job, (name, text, view)) if job is self.checker.job:
                    self.number += 1
                    self.results[name] = text, view | {"number": self.number}
                    self.checking = "" if name == self.checking else self.checking
                case JobEnded(job, error) if job is self.checker.job and job.about and error:
                    ours = OURS * (not isinstance(error, InputError))
                    self._note(str(job.about), f"{ours}{_sentence(error)}")
            if isinstance(event, JobEnded) and event.job is self.checker.job:
                self.checker.job, self.checking = None, ""
        self.changed()

    def _note(self, sheet: str, text: str) -> None:
        self.number += 1
        self.notes = {sheet: {"text": text, "number": self.number}}

    def _versions(self, sheet: str) -> Versions:
        return Versions(self.folder.path, sheet.replace("/", "-"))

    def _exercise(self, sheet: str) -> Exercise:
        """Return the exercise of a sheet. Raises `UnknownName` if there is none."""
        return find_exercise(self.folder.chapters, sheet.removeprefix(DEBUG))

    def _place(self, sheet: str) -> tuple[Exercise, Path, AnswerCell]:
        exercise = self._exercise(sheet)
        path = Case(exercise, self._bugs).path if sheet.startswith(DEBUG) else self.folder.find_file(exercise)
        return exercise, path, read_answer_cell(path, exercise)


_CHANGES = ["save", "keep", "check", "stop", "start_over", "train", "stop_training"]
_ANSWERS = ["versions", "hint", "solution", "find_bug", "predict"]
ACTIONS = {name.replace("_", " "): getattr(LearnerSession, name) for name in _CHANGES + _ANSWERS}


def _reply(verb: verbs.Verb, shown_as: str, gives_up: str) -> Reply:
    """Return the lines of a verb, or its question, which the page asks; a yes comes as another request."""
    questions: list[str] = []

    def agrees(question: str) -> bool:
        questions.append(question)
        return bool(gives_up)

    lines = [*map(str, verbs.run_verb(verb, agrees))]
    if questions and not gives_up:
        return {"asks": questions[0]}
    return {shown_as: lines if shown_as == "code" else [*map(to_html, lines)]}


def _source_in(content: bytes, path: Path, exercise: Exercise) -> str | None:
    try:
        return find_answer_cell(content, path, exercise).source
    except NoCell:
        return None


def _sentence(error: BaseException) -> str:
    return f"{sentence_of(error).rstrip('.')}."
