"""The book: a page for each chapter and solution, valid links, and no resources from other servers."""

import base64
import itertools
import json
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

import markdown
import pytest
from bs4 import BeautifulSoup

from autograder.book import pictures, site_build
from autograder.book.boxes import read_predictions
from autograder.book.markdown_pages import render_chapter
from autograder.chapters import curriculum
from autograder.chapters.chapter import BEGIN, END, parse_chapter, read_chapter
from autograder.chapters.errors import ChapterError, InputError
from autograder.judging.misconceptions import read_misconceptions
from autograder.questions.computed import questions_on
from autograder.questions.question import Question
from autograder.views import figures
from support.grading import EXERCISES

pytestmark = pytest.mark.slow

DRAWN = "one_query"


@pytest.fixture(scope="module")
def site(book):
    return {path: BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser") for path in book.rglob("*.html")}


def page(site, place):
    return next(soup for path, soup in site.items() if path.as_posix().endswith(f"/{place}.html"))


def text(soup):
    return soup.find("article").get_text()


def test_every_link_leads_somewhere_and_nothing_is_loaded_from_elsewhere(site):
    ids = {path: {tag["id"] for tag in soup.find_all(id=True)} for path, soup in site.items()}
    followed = 0
    for path, soup in site.items():
        for tag in soup.find_all(["a", "link", "script", "img", "iframe"]):
            link = urlsplit(tag.get("href") or tag.get("src") or "")
            if link.scheme or link.netloc:
                assert tag.name == "a", f"{path.name} loads {tag}"
                continue
            target = (path.parent / unquote(link.path)).resolve() if link.path else path
            target = target / "index.html" if target.is_dir() else target
            if path.name == "404.html":  # The links of this page are relative to the root of a server.
                continue
            assert target.exists(), f"{path.name} links to {link.geturl()}"
            if link.fragment and target in ids:
                assert unquote(link.fragment) in ids[target] | {"__skip"}, f"{path.name} links to {link.geturl()}"
            followed += 1
    assert followed > 20 * len(EXERCISES)


def test_a_chapter_shows_stubs_points_and_folded_hints(site):
    for exercise in EXERCISES.values():
        soup = page(site, exercise.chapter)
        heading = soup.find(id=exercise.name)
        assert heading.name in ("h2", "h3")
        assert f"{exercise.effort}. " in heading.find_next("p").get_text()
        box = heading.find_next("div", class_="exercise")
        assert box.find("details", class_="stub").find("pre").get_text().strip() == exercise.stub.strip()
        assert box.find("p", class_="admonition-title").get_text().startswith(f"{exercise.name}(")
        following = box.find_next_siblings("details", limit=len(exercise.hints) + 1)
        summaries = [details.summary.get_text() for details in following]
        messages = [each for each in summaries[:1] if each == "What is graded"]
        hints = [f"Hint {n} of {len(exercise.hints)}" for n in range(1, len(exercise.hints) + 1)]
        assert summaries[: len(messages) + len(hints)] == messages + hints
        assert not any(details.has_attr("open") for details in following)


def test_grading_notes_are_folded_below_the_stub(site):
    cells = [cell.source for name in curriculum.CHAPTERS for cell in read_chapter(name).cells]
    messages = [source for source in cells if source.startswith("**What is graded:**")]
    folded = [tag for soup in site.values() for tag in soup.find_all("summary") if tag.get_text() == "What is graded"]
    assert len(folded) == len(messages) > 30
    section = text(page(site, "all_queries"))
    assert "What is graded:" not in section and section.count("The plain dot products (nothing is scaled yet)") == 1


def test_solutions_have_separate_pages_outside_the_search(site):
    folder = next(path.parent for path in site if path.name == "index.html")
    index = json.loads((folder / "search.json").read_text(encoding="utf-8"))
    assert len(index["items"]) > len(EXERCISES)
    assert not [found["location"] for found in index["items"] if found["location"].startswith("solutions/")]
    searched = "\n".join(found["text"] for found in index["items"])
    assert "Scores, weights, weighted sum" in searched and "array_like, shape" not in searched, "prose, no docstrings"
    for exercise in EXERCISES.values():
        body = exercise.source.partition(BEGIN)[2].partition(END)[0]
        longest = max((line.strip() for line in body.splitlines()), key=len)
        assert longest in text(page(site, f"solutions/{exercise.name}"))
        assert page(site, exercise.chapter).find("a", href=f"solutions/{exercise.name}.html")
        assert (
            longest not in page(site, exercise.chapter).find(id=exercise.name).find_next(class_="exercise").get_text()
        )
        assert not any(hint in searched for hint in exercise.hints)


def test_questions_come_before_their_exercise(site):
    for name in curriculum.CHAPTERS:
        soup, asked = page(site, name), read_predictions(read_chapter(name))
        assert len(asked) == len(soup.select("details.question form.prediction")) >= 4
        for question in asked:
            (form,) = soup.find_all("form", attrs={"data-known": question.encoded})
            following = form.find_next(class_="exercise")
            if question.before:
                assert following.find(class_="admonition-title").get_text().startswith(f"{question.before}(")
            else:
                assert following is None and form.find_previous("h2").get_text().startswith("Carried over")
            assert not form.find_parent("details").has_attr("open")
            assert json.loads(base64.b64decode(question.encoded))["because"] not in soup.get_text()


def test_a_question_precedes_the_last_exercise_it_mentions():
    before = [question.before for question in read_predictions(read_chapter("one_query"))]
    assert before == ["dot_attention_score", "normalize_by_sum", *["softmax"] * 3, "calculate_attention_vector"]


def test_the_short_way_is_marked_in_the_list_and_in_the_navigation(site):
    start = page(site, "index")
    for chapter in map(read_chapter, curriculum.CHAPTERS):
        is_short = chapter.name in curriculum.SHORT_WAY
        (listed,) = start.select(f'article li strong a[href="{chapter.name}.html"]')
        assert listed.find_parent("li").get_text().startswith(f"{chapter.title} ★") is is_short
        assert is_short == bool(page(site, "glossary").select(f'nav a[href$="{chapter.name}.html"] .md-status--short'))


def test_a_question_that_names_no_exercise_is_refused(monkeypatch):
    [first, *_] = questions_on("one_query")
    stray = replace(first, question=Question("Why?", "Because.", right="1"))
    monkeypatch.setattr("autograder.book.boxes.questions_on", lambda _: (stray,))
    with pytest.raises(ChapterError, match='"Why\\?" names no exercise of one_query'):
        read_predictions(read_chapter("one_query"))


def test_known_misconceptions_stay_with_the_grader(site):
    shown = " ".join(" ".join(text(soup).split()) for soup in site.values() if soup.find("article"))
    for exercise in EXERCISES.values():
        sentences = [mistake.sentence for mistake in read_misconceptions(exercise.name).values()]
        assert sentences
        assert not [sentence for sentence in sentences if sentence in shown], exercise.name


def test_headings_are_in_order_and_pages_can_be_skipped_into(site):
    for path, soup in site.items():
        if path.name == "404.html":
            continue
        levels = [int(tag.name[1]) for tag in soup.find("article").find_all(["h1", "h2", "h3", "h4", "h5", "h6"])]
        assert levels.count(1) == 1 and levels[0] == 1, path.name
        assert all(after <= before + 1 for before, after in itertools.pairwise(levels)), path.name
        assert soup.find("a", class_="md-skip"), path.name


def test_pictures_have_words_and_a_size(site):
    shown = page(site, DRAWN).find("article").find_all("figure", class_="picture")
    assert len(shown) == sum(cell.kind == "picture" for cell in read_chapter(DRAWN).cells)
    words = []
    for figure in shown:
        (image,) = figure.select("img")
        assert image["alt"] and int(image["width"]) > 0 and int(image["height"]) > 0
        words.append(image["alt"])
    start = "Panel 1 of 2, decoder state: a heatmap with 3 rows and 1 column"
    assert [each.startswith(start) for each in words].count(True) == 1


def test_figures_replace_the_lines_that_name_them_with_a_still_and_scripts(site):
    shown = set()
    for name in curriculum.CHAPTERS:
        prose = "\n".join(cell.source for cell in read_chapter(name).cells if cell.kind == "markdown")
        named = [(match["name"], match["example"]) for match in figures.MARKER.finditer(prose)]
        assert len(named) == prose.count("data-figure"), f"{name}: a marker that is not read"
        for match, shows in zip(figures.MARKER.finditer(prose), named, strict=True):
            call = " ".join(filter(None, ["%figure", *shows]))
            assert " ".join(match["words"].split()) == f"The book has a figure to try here; in a notebook: {call}."
        results = page(site, name).find_all(attrs={"data-figure": True})
        assert [element["data-figure"] for element in results] == [figure for figure, _ in named]
        assert all(element.find("svg").find("text") for element in results)
        loaded = [Path(tag["src"]).name for tag in page(site, name).find_all("script", defer=True)]
        assert sorted(loaded) == sorted({"book.js", *(path.name for path in figures.list_scripts(named))})
        shown |= {figure for figure, _ in named}
    assert shown == set(figures.list_names())
    (hero,) = page(site, "index").find_all(attrs={"data-figure": "attention-map", "data-example": "pronouns"})
    assert hero.find("svg").find("text", string="student")


def test_a_figure_that_is_unknown_is_named():
    with pytest.raises(ChapterError, match=r"one_query.md: there is no figure 'softmin'; there are .*softmax"):
        figures.find_figures('<div data-figure="softmin">words</div>', "one_query.md")
    with pytest.raises(ChapterError, match=r"one_query.md: a figure's line is not as it should be: <div data-figure="):
        figures.find_figures('<div data-figure="softmax"><p>words</p></div>', "one_query.md")


def test_formulas_need_no_script(site):
    assert not [path.name for path, soup in site.items() if soup.find(class_="arithmatex")]
    assert page(site, "positions").find("math").find_next("mfrac")
    assert "$" not in "".join(tag.get_text() for tag in page(site, "positions").find("article").find_all("p"))


def test_a_formula_that_cannot_be_shown_is_named():
    with pytest.raises(ChapterError, match=r"the formula \\nosuchsign x < 1 cannot be shown"):
        markdown.markdown(
            r"Here is $\nosuchsign x < 1$.",
            extensions=["pymdownx.arithmatex", "autograder.book.markdown"],
            extension_configs={"pymdownx.arithmatex": {"generic": True}},
        )


def test_pictures_are_those_of_the_code_that_is_shown():
    """Run `make drawings` after you change a chapter."""
    chapters = [read_chapter(name) for name in curriculum.CHAPTERS]
    assert [chapter.name for chapter in chapters if pictures.has_drifted(chapter)] == []
    for chapter in chapters:
        drawn = pictures.read_pictures(chapter)
        files = [figure.folder / figure.file for each in drawn for figure in each.figures]
        assert all(path.read_bytes().startswith(b"<svg") for path in files)
        assert {*pictures.find_pictures_folder(chapter.name).glob("*.svg")} == {*files}
        assert drawn == [] or files
        assert all(each.is_current for each in drawn)


def test_a_picture_of_other_code_is_not_shown():
    source = (curriculum.SOLUTIONS / f"{DRAWN}.py").read_text(encoding="utf-8")
    same = parse_chapter(DRAWN, source.replace("# # One query", "# # Another title"))
    other = parse_chapter(DRAWN, source.replace("figsize=(7, 2.4)", "figsize=(7, 2.5)"))
    assert not pictures.has_drifted(same) and pictures.has_drifted(other)
    written = render_chapter(other, pictures.read_pictures(other))
    assert written.count("Not drawn yet") == 1 and "`make drawings NAME=one_query`" in written


def test_a_digest_covers_the_files_that_a_cell_may_read(tmp_path, monkeypatch):
    chapter = read_chapter("embeddings")
    before = pictures.hash_chapter(chapter)
    shutil.copytree(curriculum.EXERCISES / "given", tmp_path / "given")
    monkeypatch.setattr(pictures, "_GIVEN", tmp_path / "given")
    assert pictures.hash_chapter(chapter) == before
    (tmp_path / "given" / "prose.txt").write_text("Other words.")
    assert pictures.hash_chapter(chapter) != before


def test_the_site_is_current_until_a_source_file_changes(book, tmp_path, monkeypatch):
    assert site_build.is_current(book)
    monkeypatch.setattr(curriculum, "SOLUTIONS", tmp_path)
    assert not site_build.is_current(book) and not site_build.is_current(tmp_path)


FAILING = """\
# %% [markdown]
# # A chapter

# %%
import numpy as np

# %% tags=["active-ipynb"]
# from matplotlib import pyplot as plt
# print(1 / 0)
"""
DRAW = """\
import sys, pathlib
sys.path.insert(0, "tests")
from autograder.chapters import curriculum
curriculum.SOLUTIONS = pathlib.Path(sys.argv[1])
from making.draw import draw
draw("a_chapter", curriculum.SOLUTIONS)
"""


def test_a_picture_that_fails_is_a_fault_with_its_line(tmp_path):
    (tmp_path / "a_chapter.py").write_text(FAILING, encoding="utf-8")
    command = [sys.executable, "-c", DRAW, str(tmp_path)]
    run = subprocess.run(command, cwd=curriculum.ROOT, capture_output=True, text=True, timeout=300)
    assert run.returncode == 1
    assert 'solutions/a_chapter.py", line 9' in run.stderr and "ZeroDivisionError" in run.stderr


def test_a_folder_with_other_files_is_not_emptied(tmp_path):
    (tmp_path / "one_query.py").write_text("my answers")
    with pytest.raises(InputError, match="would be lost"):
        site_build.build(tmp_path)
    assert (tmp_path / "one_query.py").read_text() == "my answers"


def test_a_term_of_the_glossary_is_used_where_it_sends_its_reader(site):
    entries = page(site, "glossary").find("article").find_all("li")
    assert len(entries) >= 40
    for entry in entries:
        term = re.split(r"[,(]", entry.find("strong").get_text())[0].strip().lower()
        chapter = entry.find_all("a")[-1]["href"].removesuffix(".html")
        assert term in " ".join(text(page(site, chapter)).lower().split()), f"{chapter} does not say {term}"
