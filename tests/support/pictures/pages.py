"""Photographs of pages, in a light and a dark browser, and what the pages said when they were taken."""

import html
import io
import re

from PIL import Image

from autograder.chapters import curriculum
from autograder.chapters.answers import read_answer
from autograder.chapters.chapter import read_chapter
from autograder.chapters.tasks import Task
from autograder.judging.grader import Grader
from autograder.views.card import card
from support.browser import chromium
from support.pictures.answers import learners_folder

COLOURS = 96  # of a picture: it has few, and is a third as large for it
_MARGIN = 8
_BLOCKS = "p|div|h[1-6]|li|tr|section|caption|figcaption|pre|table|details"
# Picture -> what the page holds where it begins and where it ends: texts of the HTML, and how a browser finds them.
_BETWEEN = {
    "difference": ("<section", "<details"),
    "report": (">Exercises, hardest first<", ">Stopped<"),
    "book": ('id="softmax_1"', "<details"),
}
_FRAMES = {
    "difference": ("body", None, 960),
    "report": ("h3:text('Exercises, hardest first')", "h3:text('Stopped')", 860),
    "book": ("#softmax_1", "#softmax_1 ~ details", 860),
}
_PAGE = """<!doctype html><meta name="color-scheme" content="light dark"><style>
:root {{ --jp-content-font-color1: #1b1b1b }} body {{ margin: 0; padding: 1px 16px; background: #fff }}
@media (prefers-color-scheme: dark) {{ :root {{ --jp-content-font-color1: #e6e6e6 }} body {{ background: #16181b }} }}
</style>{}"""


def difference(folder):
    """The page of a card as a notebook shows it."""
    name = "scaled_dot_product_attention"
    solved = ["attention_scores", "batched_softmax", "context_vectors"]
    path = learners_folder(folder, "all_queries", solved, (name, "not_scaled"))
    chapter = read_chapter("all_queries")
    task = Task(read_answer(path), chapter, (chapter.exercise(name),))
    (verdict,) = Grader.of(chapter.name, curriculum.SELF_STUDY).grade(task)
    return _PAGE.format(card(verdict, task.exercises[0].hints))


def told(page, part):
    """What a part of a page says, in lines."""
    first, last = _BETWEEN[part]
    start = page.rindex("<", 0, page.index(first) + 1)
    end = page.rindex("<", 0, page.index(last, start) + 1)
    page = re.sub(r"<(style|script|svg)\b.*?</\1>", "", page[start:end], flags=re.DOTALL)
    page = re.sub(r"</?(?:td|th|span|i)\b[^>]*>", " ", re.sub(rf"</?(?:{_BLOCKS})\b[^>]*>", "\n\n", page))
    blocks = re.split(r"\n{2,}", html.unescape(re.sub(r"<[^>]*>", "", page)))
    return "".join(f"{line}\n" for block in blocks if (line := " ".join(block.split())))


def photograph(name, address):
    """Take the picture of that name, in a light and a dark browser: name of the file -> its bytes."""
    with chromium() as browser:
        return {
            f"{name}{ending}.png": _take(browser, address, scheme, *_FRAMES[name])
            for scheme, ending in (("light", ""), ("dark", "-dark"))
        }


def _take(browser, address, scheme, top, bottom, width):
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    box = page.locator(top).first.bounding_box()
    start = max(box["y"] - _MARGIN, 0)
    end = page.locator(bottom).first.bounding_box()["y"] if bottom else start + box["height"]
    clip = {"x": 0, "y": start, "width": width, "height": end - start}
    return _compressed(page.screenshot(full_page=True, clip=clip))


def _compressed(photograph):
    file = io.BytesIO()
    picture = Image.open(io.BytesIO(photograph)).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(file, "png", optimize=True)
    return file.getvalue()
