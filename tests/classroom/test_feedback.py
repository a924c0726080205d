"""The feedback page: its content, which a browser must treat as text."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from nbformat import v4

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.classroom.gradebook.queries import Grade, GradedWork
from autograder.judging.values.compare import Mismatch
from autograder.judging.verdict.finding import Explanation, Kind
from autograder.judging.verdict.verdict import ExerciseVerdict, TestVerdict
from autograder.views.card import to_card
from support.browser import CONTRASTS, chromium
from support.grading import grade_source

# Any of these scripts changes the page's title if it runs.
EVIL = "</pre></script><script>document.title='ran'</script><img src=x onerror=\"document.title='ran'\"><b>bold</b>"
ANSWERS = f"""
import numpy as np


def single_dot_attention_score(a, b):
    print("printed", {EVIL!r})
    return 1.0


def dot_attention_score(a, b):
    return {EVIL!r}


def normalize_by_sum(scores):
    raise ValueError({EVIL!r})


def softmax(scores):
    exponentials = np.exp(np.asarray(scores, dtype=float))
    return exponentials / exponentials.sum()


def apply_attention_scores(weights, annotations):
    return open({EVIL!r})


def calculate_attention_vector(applied):
    named = type({EVIL!r}, (), {{}})
    return named()


def attend(state, annotations):
    def inner():
        raise KeyError({EVIL!r})
    inner.__name__ = inner.__qualname__ = {EVIL!r}
    inner()
"""


@pytest.fixture(scope="module")
def verdicts():
    return grade_source(ANSWERS)


def make_failed_verdict(finding="", call="", mismatch=None, printed="", **parts):
    tests = [TestVerdict("first", "passed", 2, 2), TestVerdict("second", "wrong", 0, 3, finding, call, mismatch)]
    return ExerciseVerdict("one_query", "softmax", tests, printed=printed, **parts)


def text_of(page):
    return re.sub(r"\s+", " ", re.sub(r"<style>.*?</style>|<[^>]*>", " ", page))


# Text of the page -------------------------------------------------------------------------------------------------


def test_a_feedback_page_has_all_parts_in_order():
    mismatch = Mismatch("values", "differs", np.array([0.25, 0.75]), np.array([0.5, 0.5]))
    mistake = Explanation(Kind.MISTAKE, "Use `np.exp` first.", "What is e?")
    parts = {"explanation": mistake, "printed": "hello\n"}
    page = to_card(make_failed_verdict("returned 0.25, expected 0.5.", "softmax([1, 1])", mismatch, **parts))
    section = text_of(page)
    expected = [
        "softmax: wrong. 2 of 5 points. 1 of 2 tests passed.",
        "Use np.exp first.",
        "softmax([1, 1])",
        "returned 0.25, expected 0.5.",
        "yours",
        "target",
        "difference",
        "2 of 2 numbers differ.",
        "Hint: What is e?",
        "Your code printed: hello",
    ]
    places = [section.replace("  ", " ").find(part) for part in expected]
    assert -1 not in places and places == sorted(places)


def test_a_right_answer_gets_its_points_and_its_output():
    verdict = ExerciseVerdict("one_query", "softmax", [TestVerdict("first", "passed", 2, 2)], printed="3\n")
    section = " ".join(text_of(to_card(verdict)).split())
    assert section == "✓ softmax: done. 2 of 2 points. 1 of 1 tests passed. Your code printed: 3"
    failed = text_of(to_card(make_failed_verdict("returned 1.", "softmax([1])", printed=" \n")))
    assert "printed" not in failed and "second" not in failed  # It shows no test's name.


@pytest.mark.parametrize("place", [sys.prefix, sys.base_prefix, str(curriculum.ROOT), str(Path.home())])
def test_places_on_the_teachers_machine_are_left_out(place):
    page = to_card(make_failed_verdict(f"raised OSError: {place}/x", f"f('{place}/y')", printed=f"{place}/lib/z.py\n"))
    assert place not in page
    assert "…" in page


def test_control_codes_are_shown_and_not_obeyed():
    page = to_card(make_failed_verdict("raised \x1b[2J\x07\u202eevil", printed="a\x08b\tc\r\nd"))
    assert not set("\x1b\x07\x08\r\u202e") & set(page)
    assert "a\N{REPLACEMENT CHARACTER}b c\nd" in page


def test_backticks_make_code_and_nothing_else():
    page = to_card(make_failed_verdict("raised: `<img src=x onerror=alert(1)>`"))
    assert "<code>&lt;img src=x onerror=alert(1)&gt;</code>" in page


# In a browser -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page(verdicts, tmp_path_factory):
    from autograder.classroom.returns import feedback_page as feedback  # noqa: PLC0415  (slow to import)
    from autograder.classroom.returns.feedback_page import make_cards  # noqa: PLC0415

    folder = tmp_path_factory.mktemp("feedback")
    cells, work = [], GradedWork()
    for exercise in read_chapter("one_query").exercises:
        verdict = verdicts[exercise.name]
        cell = v4.new_code_cell(f"check({exercise.name})")
        cell.metadata["nbgrader"] = {"grade": True, "solution": False, "locked": True, "grade_id": exercise.name}
        work.grades[exercise.name] = Grade(auto=verdict.points, max_score=verdict.max_points)
        cell.outputs = [v4.new_output("execute_result", {"text/html": to_card(verdict)})]
        cells += [v4.new_code_cell(f"print({EVIL!r})"), cell]
    notebook, chapter = v4.new_notebook(cells=cells), read_chapter("one_query")
    shown = {"name": "one_query", "title": chapter.title, "score": 3.5, "max_score": 35, "penalty": 1.5, "waiting": ()}
    shown |= {"cards": make_cards(notebook, work, {}), "problem": "", "notes": ()}
    shown["totals"] = {"student": EVIL, "assignment": "first", "notebooks": [("one_query", 3.5, 35)]}
    written = feedback.render_page([shown])
    path = folder / "one_query.html"
    path.write_text(written, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def browser():
    with chromium() as running:
        yield running


@pytest.fixture
def opened(browser, page):
    context = browser.new_context(viewport={"width": 390, "height": 800})
    context.route(re.compile("^https?:"), lambda route: route.abort())
    tab = context.new_page()
    tab.set_default_timeout(120_000)
    tab.goto(page.as_uri(), wait_until="domcontentloaded", timeout=120_000)
    tab.wait_for_load_state("load", timeout=120_000)
    yield tab
    context.close()


def test_nothing_of_a_learner_runs(opened):
    assert opened.title() == "one_query"
    sections = opened.locator("section.attn")
    assert sections.count() == len(read_chapter("one_query").exercises)
    assert sections.locator("script, img, b:not(td b)").count() == 0
    assert opened.locator("img[onerror], a[href^='javascript']").count() == 0


def test_html_in_an_answer_is_shown_as_text(opened):
    shown = {
        "single_dot_attention_score": "printed",  # The answer prints EVIL.
        "dot_attention_score": "returned",
        "normalize_by_sum": "ValueError",
        "apply_attention_scores": "Error",  # No file is called EVIL.
        "calculate_attention_vector": "returned",  # The answer returns an instance of a class called EVIL.
        "attend": "KeyError",
    }
    for name, word in shown.items():
        message = re.sub(r"\s+", " ", opened.locator(f"#{name} section.attn").inner_text())
        seen = ("<script>document.title='ran'</script>", '"><b>bold</b>')  # Long text is cut, so either is enough.
        assert word in message and any(text in message.replace("\\'", "'") for text in seen), name


def test_a_feedback_page_begins_with_points_and_links(opened):
    total = opened.locator("p.total").inner_text()
    assert total == "3.5 of 35 points, 1.5 taken off because it was handed in late"
    look = opened.locator("ol.look a")
    right = opened.locator("header .quiet a")
    names = [exercise.name for exercise in read_chapter("one_query").exercises]
    assert sorted([*look.all_inner_texts(), *right.all_inner_texts()]) == sorted(names)
    assert "softmax" in look.all_inner_texts()  # This softmax overflows.
    opened.locator("ol.look a", has_text="softmax").click()
    assert opened.url.endswith("#softmax")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_from_the_page(opened, scheme):
    """The contrast of every text in the head and the cards is at least 4.5, as WCAG AA requires."""
    opened.emulate_media(color_scheme=scheme)
    results = opened.eval_on_selector_all("main *:not(.highlight *):not(figure *)", CONTRASTS)
    assert len(results) > 20 and not [each for each in results if each[1] < 4.5]


def test_a_phone_shows_the_page_without_scrolling_sideways(opened):
    assert opened.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_picture_is_there_and_named(opened):
    tables = opened.locator("figure.attn-picture table")
    assert {"yours", "target"} <= set(opened.locator("figure.attn-picture caption").all_inner_texts())
    assert tables.first.locator("th[scope=col]").count() > 1
