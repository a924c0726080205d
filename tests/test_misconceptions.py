"""Every misconception fails its suite and is named, and nothing else is named in its place."""

import functools

import pytest
from grading_helpers import SECRET, grade_answers, graded_chapters

from autograder import curriculum
from autograder.answer_file import script_answer
from autograder.plugin import collect_suites
from autograder.reference import lesson_of, misconception_session, solution_session
from autograder.session import LocalSession

CHAPTERS = {chapter.name: (chapter, suites) for chapter, suites in graded_chapters() if suites}
EXERCISES = [(chapter, exercise) for chapter, (_, suites) in CHAPTERS.items() for exercise in suites]
MISCONCEPTIONS = [(*pair, name) for pair in EXERCISES for name in misconception_session(pair[1])[1]]
# One exercise a chapter goes through the real worker too: the others run there no differently.
REMOTE = {chapter: suites[-1] for chapter, (_, suites) in CHAPTERS.items()}


@functools.cache
def judged(chapter):
    """The verdicts of a chapter's misconceptions and, under the name None, of its solutions."""
    exercises = [CHAPTERS[chapter][0].exercise(name) for name in CHAPTERS[chapter][1]]
    suites, verdicts = collect_suites(exercises, SECRET), {}
    for exercise in exercises:
        verdicts[exercise.name, None] = suites.judge(exercise, solution_session(chapter))
        session, names = misconception_session(exercise.name)
        for name in names:
            verdicts[exercise.name, name] = suites.judge(exercise, LocalSession(session.runner.module, name))
    return verdicts


@pytest.mark.parametrize(("chapter", "exercise", "name"), MISCONCEPTIONS)
def test_a_misconception_fails_and_is_named(chapter, exercise, name):
    verdict = judged(chapter)[exercise, name]
    assert verdict.outcome in ("wrong", "raised"), verdict.message
    assert verdict.points < verdict.max_points
    assert verdict.misconception == name
    assert verdict.lesson in verdict.message


@pytest.mark.parametrize(("chapter", "exercise"), EXERCISES)
def test_the_solution_gets_every_point(chapter, exercise):
    verdict = judged(chapter)[exercise, None]
    assert verdict.outcome == "passed", verdict.message
    assert verdict.points == verdict.max_points == CHAPTERS[chapter][0].exercise(exercise).points


@pytest.mark.parametrize(("chapter", "exercise"), EXERCISES)
def test_there_are_five_with_a_sentence_each(chapter, exercise):
    _, names = misconception_session(exercise)
    assert len(names) >= 5
    sentences = [lesson_of(exercise, name)[0] for name in names]
    assert len(set(sentences)) == len(names), "two misconceptions say the same"
    for sentence in sentences:
        assert len(sentence) > 30
        assert sentence[0].isupper() or sentence[0] == "`"
        assert sentence.endswith(".")


@pytest.mark.parametrize("chapter", REMOTE)
def test_a_real_worker_comes_to_the_same_verdicts(chapter):
    exercise = REMOTE[chapter]
    source = (curriculum.MISCONCEPTIONS / f"{exercise}.py").read_text(encoding="utf-8")
    _, names = misconception_session(exercise)
    answers = [script_answer(f"{name}.py", f"{source}\n\n{exercise} = {name}\n") for name in names]
    for name, remote in zip(names, grade_answers(answers, chapter, [exercise]), strict=True):
        local, remote = judged(chapter)[exercise, name], remote[exercise]
        assert remote.misconception == name
        assert [(t.name, t.outcome, t.points) for t in remote.tests] == [
            (t.name, t.outcome, t.points) for t in local.tests
        ]
