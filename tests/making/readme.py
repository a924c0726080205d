"""The pictures of README.md, made by running the program with `make pictures`: terminals as SVG, pages as PNG."""

import contextlib
import io
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from rich.console import Console
from rich.text import Text

from autograder.chapters import curriculum
from autograder.chapters.answers import Task, read_answer
from autograder.chapters.chapter import read_chapter
from autograder.judging.grader import Grader
from autograder.judging.misconceptions import apply_mistake
from autograder.study.start import read_handouts, start
from autograder.views.card import to_card
from support.browser import chromium
from support.terminal import PseudoTerminal

FOLDER = curriculum.ROOT / "docs" / "pictures"
ATTN = Path(sys.executable).with_name("attn")
COLOURS = 96  # number of colours in a PNG, which is then a third as large
MARGIN_PIXELS = 8
_PAGE = """<!doctype html><meta name="color-scheme" content="light dark"><style>
:root {{ --jp-content-font-color1: #1b1b1b }} body {{ margin: 0; padding: 1px 16px; background: #fff }}
@media (prefers-color-scheme: dark) {{ :root {{ --jp-content-font-color1: #e6e6e6 }} body {{ background: #16181b }} }}
</style>{}"""


def make_folder(folder, chapter, mistaken, misconception):
    """Create a folder in which `mistaken` contains a known mistake and all exercises before it are solved."""
    start(folder, read_handouts())
    path = folder / "exercises" / f"{chapter}.py"
    text = path.read_text(encoding="utf-8")
    for exercise in read_chapter(chapter).exercises:
        is_mistaken = exercise.name == mistaken
        source = apply_mistake(exercise, misconception) if is_mistaken else exercise.solution
        text = text.replace(exercise.stub, source)
        if is_mistaken:
            break
    path.write_text(text, encoding="utf-8")
    return path


def terminal(name, folder, until, *arguments):
    with contextlib.closing(PseudoTerminal(ATTN, *arguments, cwd=folder, COLORTERM="truecolor", LANG="C.UTF-8")) as run:
        run.wait_for(until)
        shown = run.raw.rpartition("\x1b[2J\x1b[H")[2]
    shown = re.sub(r"[^\n]*(\r|\n[^\n]*\x1b\[1A)\x1b\[2K", "", shown)  # These lines were erased.
    shown = re.sub(r"\x1b\[[\d;?]*[A-LN-Za-ln-z]", "", shown).replace("\r", "").strip("\n")
    console = Console(record=True, width=80, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text.from_ansi(shown), soft_wrap=True)
    svg = console.export_svg(title=" ".join(["attn", *arguments]), unique_id=name)
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)  # The page must load no font.
    (FOLDER / f"{name}.svg").write_text("\n".join(map(str.rstrip, svg.splitlines())) + "\n", encoding="utf-8")


def check_in_book(page):
    page.wait_for_url(re.compile(r"\.html"))
    page.goto(re.sub(r"\w+\.html.*", "one_query.html", page.url))
    sheet = page.get_by_role("region", name="Your answer: softmax")
    sheet.get_by_role("button", name="Check").click()
    sheet.locator(".verdict section").wait_for()
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")  # Bounding boxes are relative to the viewport.


def photograph(name, address, top, bottom, width, prepare=lambda page: page.wait_for_load_state("networkidle")):
    """Write screenshots of the part of a page between two elements, in light and dark mode."""
    with chromium() as browser:
        for scheme, ending in (("light", ""), ("dark", "-dark")):
            page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
            page.goto(address)
            prepare(page)
            box = page.locator(top).first.bounding_box()
            start = max(box["y"] - MARGIN_PIXELS, 0)
            end = page.locator(bottom).first.bounding_box()["y"] if bottom else start + box["height"]
            clip = {"x": 0, "y": start, "width": width, "height": end - start}
            picture = Image.open(io.BytesIO(page.screenshot(full_page=True, clip=clip))).convert("RGB")
            few_colours = picture.quantize(COLOURS, dither=Image.Dither.NONE)
            few_colours.save(FOLDER / f"{name}{ending}.png", optimize=True)


def main():
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        make_folder(folder / "watch", "one_query", "softmax", "no_maximum_subtracted")
        subprocess.run([ATTN, "check"], cwd=folder / "watch", capture_output=True)  # Otherwise, `watch` praises passes.
        terminal("watch", folder / "watch", r"wrong.*quit", "watch")
        make_folder(folder / "check", "all_queries", "causal_mask", "looks_ahead")
        terminal("verdict", folder / "check", r"Next: .*\n", "check", "all_queries")
        name = "scaled_dot_product_attention"
        path, chapter = make_folder(folder / "card", "all_queries", name, "not_scaled"), read_chapter("all_queries")
        task = Task(read_answer(path), chapter, (chapter.get_exercise(name),))
        (verdict,) = Grader.for_chapter(chapter.name, curriculum.SELF_STUDY).grade(task)
        page = folder / "difference.html"
        page.write_text(_PAGE.format(to_card(verdict, task.exercises[0].hints)), encoding="utf-8")
        photograph("difference", page.as_uri(), "body", None, 960)
        subprocess.run([ATTN, "course", "demo", folder / "demo", "--no-open"], check=True, capture_output=True)
        report = folder / "demo" / "report.html"
        photograph("report", report.as_uri(), "h3:text('Exercises, hardest first')", "h3:text('Stopped')", 860)
        command = [ATTN, "book", "--no-open"]
        with subprocess.Popen(command, cwd=folder / "watch", stdout=subprocess.PIPE, text=True) as book:
            address = next(results[0] for line in book.stdout if (results := re.search(r"http\S+", line)))
            photograph("book", address, ".sheet[aria-label$=' softmax']", None, 860, check_in_book)
            book.terminate()


if __name__ == "__main__":
    main()
