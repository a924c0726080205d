"""Every labelled answer gets the verdict on its label: right answers in any style all points, wrong answers fewer.

An answer carries its labels as comments, ``# expect: softmax wrong no_maximum_subtracted`` or
``# expect: all passed``, where `all` means the exercises that the file defines. ``# told: The result is`` has words of
the observation about a mistake without a name. ``# plain: returned nan`` has words of the message.
``# like: parts.py`` takes missing parts from the answer ``parts.py``, and then makes every ``# edit: OLD -> NEW``.
Answers to a whole chapter are in ``tests/answers/<chapter>/``, answers to one exercise in a subfolder with its name.
Add a new file there for every report of a wrong verdict.
"""

import functools

import pytest

from support.grading import (
    ANSWERS,
    grade_answers,
    graded_chapters,
    read_labelled,
    read_labelled_text,
    read_labels,
    read_told,
)

CHAPTERS = {chapter.name: suites for chapter, suites in graded_chapters() if suites}
FILES = {
    chapter: sorted(str(path.relative_to(ANSWERS / chapter)) for path in (ANSWERS / chapter).rglob("*.py"))
    for chapter in CHAPTERS
}


@pytest.fixture(scope="module")
def verdicts_of(request):
    mine = [item for item in request.session.items if "verdicts_of" in getattr(item, "fixturenames", ())]
    chosen = {(item.callspec.params["chapter"], item.callspec.params["name"]) for item in mine}

    @functools.cache
    def verdicts_of(chapter):
        names = [name for name in FILES[chapter] if (chapter, name) in chosen]
        answers = [read_labelled(ANSWERS / chapter / name) for name in names]
        return dict(zip(names, grade_answers(answers, chapter, CHAPTERS[chapter]), strict=True))

    return verdicts_of


def labelled(chapter, name):
    answer = read_labelled(ANSWERS / chapter / name)
    expected = read_labels(answer)
    for exercise in CHAPTERS[chapter]:
        if exercise in expected or ("all" in expected and exercise in answer.definitions):
            yield exercise, *(expected.get(exercise) or expected["all"])


def cases():
    """Yield a case for each label of each answer. `make test` runs the shortest right and wrong one of an exercise."""
    results, quick = [], {}
    for chapter, names in FILES.items():
        for name in names:
            text = read_labelled_text(ANSWERS / chapter / name)
            results += [(chapter, name, label, len(text)) for label in labelled(chapter, name)]
    for case in results:
        exercise, outcome, _ = case[2]
        shortest = quick.setdefault((exercise, outcome == "passed"), case)
        if case[3] < shortest[3]:
            quick[exercise, outcome == "passed"] = case
    for case in results:
        chapter, name, label, _ = case
        marks = () if case is quick[label[0], label[1] == "passed"] else pytest.mark.slow
        yield pytest.param(chapter, name, *label, id=f"{chapter}-{name}-{label[0]}", marks=marks)


CASES = list(cases())


@pytest.mark.parametrize(("chapter", "name", "exercise", "outcome", "misconception"), CASES)
def test_the_verdict_is_the_one_on_the_label(verdicts_of, chapter, name, exercise, outcome, misconception):
    verdict = verdicts_of(chapter)[name][exercise]
    assert verdict.outcome == outcome, verdict.message
    assert "failed" not in verdict.explanation_error  # An internal error would be named here.
    if outcome == "passed":
        assert verdict.points == verdict.max_points > 0
    else:
        assert verdict.points < verdict.max_points
        assert verdict.message
        _is_read_at_a_glance(verdict)
    if misconception:
        assert verdict.misconception == misconception
    answer = read_labelled(ANSWERS / chapter / name)
    for words in read_told(answer):
        assert words.lower() in verdict.relation.lower()  # The relation may begin with "In this call,".
        assert verdict.to_record()["explained"]
    for words in read_told(answer, "plain"):
        assert words in verdict.message


def _is_read_at_a_glance(verdict):
    """Check that the reason comes first, and that all text before a picture has at most 300 characters.

    The limit is 400 if a module lacks parameters, because the message lists them with their shapes.
    """
    reason = verdict.sentence
    before = " ".join(text for kind, text in verdict.texts if kind != "hint")
    lists_parameters = verdict.shown_test.mismatch is not None and verdict.shown_test.mismatch.kind == "attribute"
    longest = 400 if lists_parameters else 300
    assert verdict.message.startswith(reason)
    assert len(before) <= longest, before
    assert len(verdict.message) <= max(longest, 400)  # The message may end with a hint.
    assert max(len(test.message) for test in verdict.tests) <= 300


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_exercise_has_five_honest_styles_and_wrong_answers(chapter):
    for exercise in CHAPTERS[chapter]:
        outcomes = [outcome for name in FILES[chapter] for e, outcome, _ in labelled(chapter, name) if e == exercise]
        right = outcomes.count("passed")
        results = f"tests/answers/{chapter}/{exercise}/: {right} right and {len(outcomes) - right} wrong answers"
        assert right >= 5 and len(outcomes) - right >= 3, f"{results}, in place of five and three"


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_labels_name_exercises(chapter):
    known = {exercise for suites in CHAPTERS.values() for exercise in suites} | {"all"}
    for name in FILES[chapter]:
        expected = read_labels(read_labelled(ANSWERS / chapter / name))
        assert expected, f"{name} has no label"
        assert set(expected) <= known | set(CHAPTERS[chapter])
