"""Grades many answers to one chapter into a record."""

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from autograder.answer_file import AnswerFile, read_answer
from autograder.errors import UnreadableAnswer
from autograder.grading import Task, grade
from autograder.record import answer_key, append_line, read_keys, record_line
from autograder.selection import known_chapter
from autograder.verdict import ExerciseVerdict, TestVerdict


def grade_answers(paths, chapter_name, record, secret, console):
    """Grade every answer that the record does not hold yet and add it at once.

    Parameters
    ----------
    paths : list of pathlib.Path
    chapter_name : str
    record : pathlib.Path
        The JSON-lines file; made where it does not exist.
    secret : bytes
    console : rich.console.Console
        For the progress bar, where it is a terminal.

    Returns
    -------
    tuple of (list of ExerciseVerdict, list of str)
        The verdicts of what was graded now, and a sentence for each answer that could not be read. Those are in
        the record too, with no points.
    """
    chapter = known_chapter(chapter_name)
    if missing := [path for path in paths if not path.exists()]:
        raise UnreadableAnswer(f"{missing[0]} does not exist: nothing has been graded")
    done, tasks, unreadable, all_verdicts = read_keys(record), [], {}, []
    for path in paths:
        try:
            answer = read_answer(path)
        except UnreadableAnswer as error:
            answer, unreadable[str(path)] = AnswerFile(str(path), ()), str(error)
        if (str(path), answer_key(answer, chapter, secret)) not in done:
            tasks.append(Task(answer, chapter, chapter.exercises))
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        bar = progress.add_task("grading", total=len(tasks))
        verdicts = []

        def report(task, verdict, session):
            if task.answer.path in unreadable:
                verdict = _not_read(verdict, unreadable[task.answer.path])
            verdicts.append(verdict)
            if len(verdicts) == len(task.exercises):
                key = answer_key(task.answer, chapter, secret)
                append_line(record, record_line(task.answer.path, chapter, verdicts, key))
                all_verdicts.extend(verdicts)
                verdicts.clear()
                progress.advance(bar)

        grade(tasks, secret, report)
    return all_verdicts, list(unreadable.values())


def _not_read(verdict, sentence):
    tests = [TestVerdict(test.name, "raised", 0, test.max_points, f"{sentence}.") for test in verdict.tests]
    return ExerciseVerdict(verdict.chapter, verdict.exercise, tests, verdict.seconds)
