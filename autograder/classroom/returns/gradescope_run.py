"""The program in a Gradescope container. It grades the files in submission/ and writes results/results.json.

`run_autograder`, which is next to this file, starts it. The format is described in
https://gradescope-autograders.readthedocs.io/en/latest/specs/. Only teachers see what it prints. After an internal
error there is no results.json: Gradescope then reports that the autograder failed, and records no points.
"""

import dataclasses
import json
import os
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from autograder import api
from autograder.chapters import curriculum
from autograder.chapters.answers import Task
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import FAULT, UNREADABLE, BrokenKitError, InputError, UnreadableAnswer
from autograder.chapters.files import write_file
from autograder.chapters.part import ChapterPart
from autograder.chapters.text import clean
from autograder.classroom.course.plan import FULL, NONE, Assignment, find_chapter_of_file

_NO_SANDBOX_NOTE = """\
Note for the teacher: bubblewrap does not work here. The answer could read the autograder's files, without the secret.
It was confined by the container, {layers}."""
MAX_COPIES = 10  # limit for the copies of a notebook that are examined
_NO_LAYERS = "and nothing else, so that an answer could have written its own results"


def make_results(tests: list[dict[str, Any]], exam: bool = False) -> dict[str, Any]:
    """Return the content of results.json. Learners see the results of an exam only after they are published."""
    visibility = "after_published" if exam else "visible"
    return {
        "score": api.round_points(sum(test["score"] for test in tests)),
        "tests": [test | {"visibility": visibility} for test in tests],
        "visibility": visibility,
        "stdout_visibility": "hidden",
        # The texts contain input of learners, which Gradescope must not render as HTML.
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "extra_data": {"sandbox": api.sandbox.get_name()},
    }


def grade(assignment: Assignment, root: Path, no_sandbox: bool) -> None:
    api.sandbox.require_sandbox(no_sandbox)
    secret_file = root / "source" / "secret"
    try:
        secret = secret_file.read_bytes()
    except OSError:
        advice = "start a new container, which grades only once without a sandbox"
        raise BrokenKitError(f"{secret_file} cannot be read: {advice}") from None
    if not api.sandbox.is_available():
        secret_file.unlink()
        zygote = api.get_zygote(read_chapter(assignment.chapters[0]).libraries)
        zygote.wait_until_ready()
        print(_NO_SANDBOX_NOTE.format(layers=", ".join(zygote.layers or ()) or _NO_LAYERS))
    grader = api.Grader(assignment.graded_exercises, secret)
    folder = root / "submission"
    tests = [test for chapter in assignment.chapters for test in _grade_chapter(grader, assignment, chapter, folder)]
    results = make_results(tests, assignment.exam)
    path = root / "results" / "results.json"
    path.parent.mkdir(exist_ok=True)
    write_file(path, json.dumps(results, indent=1))
    possible = api.round_points(sum(test["max_score"] for test in results["tests"]))
    print(f"{assignment.name}: {results['score']} of {possible} points. Sandbox: {api.sandbox.get_name()}.")


def main() -> None:
    """Grade what `asked.json` asks in Gradescope's folder; `run_autograder` names both."""
    asked, root = map(Path, sys.argv[1:])
    try:
        task = json.loads(asked.read_text(encoding="utf-8"))
        own_folder = root / "source" / "own"
        curriculum.open_home(curriculum.ContentFolders.in_folder(own_folder) if own_folder.is_dir() else None)
        grade(Assignment.from_json(task["assignment"]), root, task["no_sandbox"])
    except InputError as error:
        print(f"Not graded: {error}")
        sys.exit(UNREADABLE)
    except (BrokenKitError, OSError) as error:
        print(f"Not graded, which is not the learner's fault: {error}")
        sys.exit(FAULT)


_PACKAGES = ("numpy", "pytest", "seaborn", "ipython", "pyseccomp", "landlock")
_GIVEN_PACKAGES = ("requests", "platformdirs", "rich")


def list_packages(assignment: Assignment) -> list[str]:
    libraries = {library for name in assignment.chapters for library in read_chapter(name).libraries}
    return [*_PACKAGES, *_GIVEN_PACKAGES, *(["torch"] if "torch" in libraries else [])]


def _grade_chapter(grader: api.Grader, assignment: Assignment, chapter: str, folder: Path) -> Iterator[dict[str, Any]]:
    """Yield a test of Gradescope's for each exercise of a chapter. Raises `BrokenKitError` after an internal error."""
    problem, note, part = "", "", assignment.build_part(chapter)
    verdicts: dict[str, api.ExerciseVerdict] = {}
    try:
        answer = _choose_answer(part, assignment.chapters, folder)
        task = Task(answer, part.chapter, part.exercises)
        verdicts = {verdict.exercise: verdict for verdict in grader.grade(task)}
        note = "" if Path(answer.path).stem == chapter else f"{answer.path} counts as {chapter}.ipynb."
    except UnreadableAnswer as unreadable:
        problem = f"{unreadable}.".replace(f"{folder}{os.sep}", "")
    for number, exercise in enumerate(part.exercises, 1):
        maximum = assignment.points_of(exercise)
        points, text = (0, problem) if problem else _describe_verdict(verdicts[exercise.name].scale_points(maximum))
        points = {FULL: maximum, NONE: 0}.get(assignment.waived.get(exercise.name, ""), points)
        yield {
            "name": exercise.name,
            "number": f"{assignment.chapters.index(chapter) + 1}.{number}",
            "score": points,
            "max_score": maximum,
            "status": "passed" if points == maximum else "failed",
            "output": clean(f"{note} {text}".strip()),
            "output_format": "text",
        }


def _describe_verdict(verdict: api.ExerciseVerdict) -> tuple[float, str]:
    """Return the points and the text of a verdict. Raises `BrokenKitError` if it is an internal error."""
    if verdict.outcome == "fault":
        raise BrokenKitError(verdict.message)
    count = sum(test.outcome == "passed" for test in verdict.tests)
    return verdict.points, "\n".join([f"{count} of {len(verdict.tests)} tests passed.", *api.sentences_of(verdict)])


def _choose_answer(part: ChapterPart, chapters: Collection[str], folder: Path) -> api.AnswerFile:
    """Return the file with the most started exercises of a chapter; among equals, the one named after the chapter.

    Browsers and platforms rename files to `one_query (1).ipynb`, and add an unchanged original.
    """
    chapter = part.chapter.name
    # Do not follow links, because messages would quote the files to which they lead.
    paths = [
        path
        for path in folder.rglob("*")
        if path.suffix.lower() in (".ipynb", ".py") and find_chapter_of_file(path.stem, chapters) == chapter
        if path.is_file() and not path.is_symlink()
        if not any(part.startswith((".", "__")) for part in path.relative_to(folder).parts)
    ]
    if not paths:
        raise UnreadableAnswer(f"{chapter}.ipynb is missing: hand it in under this name")
    paths.sort(key=lambda path: (path.stem != chapter, len(path.parts), path.suffix.lower(), path.name))
    answers, copies = list[api.AnswerFile](), paths[:MAX_COPIES]
    for path in copies:
        try:
            submission = api.read_submitted_answer(
                path, api.read_submission(path), part.chapter, part.build_given_code()
            )
            answers.append(dataclasses.replace(submission, path=path.name))
        except UnreadableAnswer:
            if path is copies[-1] and not answers:
                raise
    return max(answers, key=lambda answer: len(answer.list_begun(part.exercises)))


if __name__ == "__main__":
    main()
