"""Answers written in the book, correct and wrong, next to an editor, `attn watch` and another tab."""

import itertools
import random
import re
import socket
import sys
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import expect

from autograder.chapters.chapter import read_chapter
from autograder.serve import server
from autograder.serve.site import listen
from autograder.study.answer_cell import read_answer_cell
from autograder.study.versions import Versions
from support.served import SECONDS, answers, serve_folder, serve_stranger
from support.terminal import PseudoTerminal

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]
CHAPTER = read_chapter("one_query")
ATTN = Path(sys.executable).with_name("attn")
NAIVE = "e = np.exp(scores)\nreturn e / e.sum()"
STABLE = "e = np.exp(scores - np.max(scores))\nreturn e / e.sum()"
ENDLESS = "while True:\npass"
ATTEND = """weights = softmax(dot_attention_score(dec_hidden_state, annotations))
return calculate_attention_vector(apply_attention_scores(weights, annotations)), weights"""

# Exercise -> (typed body, words of its verdict) for several answers, which are typed one after the other.
TYPED = {
    "single_dot_attention_score": [
        ("return np.sum(dec_hidden_state) * np.sum(enc_hidden_state)", "wrong"),
        ("return np.dot(dec_hidden_state, enc_hidden_state)", "done"),
    ],
    "dot_attention_score": [
        ("return dec_hidden_state @ annotations", "error"),
        ("return np.dot(dec_hidden_state, annotations)", "done"),
    ],
    "normalize_by_sum": [("return np.array(scores) / np.sum(scores)", "done")],
    "softmax": [(NAIVE, "exponentials of large scores overflow"), (STABLE, "done")],
    "apply_attention_scores": [
        ("return np.add(annotations, attention_weights)", "wrong"),
        ("return np.multiply(annotations, attention_weights)", "done"),
    ],
    "calculate_attention_vector": [("return np.sum(applied_attention, axis=1)", "done")],
    "attend": [(ATTEND, "done")],
}


class BookEditors:
    def __init__(self, page, folder):
        self.page, self.path = page, folder / "one_query.py"

    def sheet(self, name):
        return self.page.get_by_role("region", name=f"Your answer: {name}", exact=True)

    def body(self, name, text):
        """Delete the body below the folded docstring and type a new one, which the editor indents."""
        content, press = self.sheet(name).get_by_role("textbox"), self.page.keyboard.press
        lines = content.locator(".cm-line").all_text_contents()
        content.click()
        for _ in range(len(lines) - 1 - next(n for n, line in enumerate(lines) if line.endswith('"""'))):
            press("Control+End")
            press("Control+Shift+k")  # This deletes a line, which may be wrapped.
        press("Control+End")
        press("Enter")
        self.page.keyboard.type(text)

    def check(self, name, text):
        self.body(name, text)
        self.page.keyboard.press("Control+Enter")
        return self.sheet(name)

    def says(self, name, text):
        expect(self.sheet(name).get_by_role("status")).to_contain_text(text)


def chapter_of(page):
    """Return the page when it shows the chapter with all its editors; from the start page, follow the link first."""
    page.wait_for_url(re.compile(r"(index|one_query)\.html"))
    if "index.html" in page.url:
        page.get_by_role("link", name="Begin with one query").click()
    expect(page.locator(".sheet .cm-editor")).to_have_count(len(CHAPTER.exercises))
    return page


@pytest.fixture
def folder(tmp_path):
    return answers(tmp_path)


@pytest.fixture
def desk(folder, site, opened):
    """Yield a function that opens a page of a new folder."""
    expect.set_options(timeout=60_000)
    with serve_folder(folder, site) as address:
        yield lambda context=None: BookEditors(chapter_of(opened(None, at=address, context=context)), folder)


@pytest.fixture(scope="module")
def at(site, opened, tmp_path_factory):
    """Yield a page for tests that each change another exercise."""
    expect.set_options(timeout=60_000)
    folder = answers(tmp_path_factory.mktemp("shared"))
    with serve_folder(folder, site) as address:
        yield BookEditors(chapter_of(opened(None, at=address)), folder)


def test_a_chapter_is_solved_whole_with_wrong_answers_on_the_way(desk):
    at = desk()
    for name, tries in TYPED.items():
        for text, said in tries:
            at.check(name, text)
            at.says(name, f"{name}: {said}" if said in ("wrong", "error", "done") else said)
        expect(at.page.locator(f".md-sidebar--secondary a.done[href='#{name}']")).to_have_count(1)
    expect(at.sheet("attend")).to_contain_text("Every exercise of this chapter is done.")
    at.page.reload()
    end = at.page.get_by_role("region", name="The chapter is done")
    expect(end.get_by_role("link", name="Next chapter: All queries at once")).to_be_visible()
    assert end.locator("rect").first.evaluate("(box) => getComputedStyle(box).fill") != "rgb(0, 0, 0)", (
        "it has its style"
    )
    assert STABLE.splitlines()[0] in at.path.read_text()


def test_the_editor_works_by_keyboard_and_with_a_screen_reader(at):
    sheet = at.check("softmax", NAIVE)
    at.says("softmax", "softmax: wrong. The exponentials of large scores overflow")
    expect(sheet.locator(".attn-picture table")).to_have_count(3)
    at.page.keyboard.press("Escape")
    for _ in range(9):
        at.page.keyboard.press("Tab")
        if at.page.evaluate("document.activeElement.textContent") == "Hint":
            break
    at.page.keyboard.press("Enter")
    expect(sheet.locator(".verdict")).to_contain_text("Hint 1 of 4:")
    expect(sheet.locator(".told")).to_contain_text("Hint 2 of 4")
    at.page.keyboard.press("Enter")
    expect(sheet.locator(".told")).to_contain_text("Hint 3 of 4")
    expect(sheet.locator(".told")).to_contain_text("Hint 2 of 4")
    assert "np.exp(scores)\n    return e / e.sum()" in at.path.read_text(), "the editor indents"


def test_an_endless_loop_is_stopped_from_the_page(at):
    sheet = at.check("normalize_by_sum", ENDLESS)
    sheet.get_by_role("button", name="Stop").click()
    at.says("normalize_by_sum", "Stopped.")
    at.check("normalize_by_sum", TYPED["normalize_by_sum"][0][0])
    at.says("normalize_by_sum", "normalize_by_sum: done.")


def test_showing_a_solution_requires_confirmation(at):
    asked, sheet = [], at.sheet("attend")
    at.page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    sheet.get_by_role("button", name="Solution").click()
    expect(at.page.get_by_role("link", name="A solution of")).to_have_count(0)
    expect(sheet.locator(".told")).to_be_empty()
    at.page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    sheet.get_by_role("button", name="Solution").click()
    expect(sheet.locator(".told ins").filter(has_text="softmax(")).not_to_have_count(0)
    assert asked == ["Give up on attend and see its solution?"] * 2


def test_a_prediction_is_kept(at):
    form = at.page.locator("details.question").first
    form.locator("summary").click()
    form.get_by_role("button", name="Show the answer").click()
    expect(form.get_by_role("status")).to_contain_text("It is")
    at.page.wait_for_timeout(3000)  # The page answers at once, but saves to the folder a little later.
    assert '"predicted": [\n   false' in re.sub(
        r" +", lambda m: m[0][:3], (at.path.parent / ".attn/progress.json").read_text()
    )


def test_an_editor_watch_and_another_tab_show_the_same_text(desk, folder):
    watching = PseudoTerminal(ATTN, "watch", "one_query", cwd=folder.parent)
    watching.wait_for("q quit")
    at = desk()
    other = desk(context=at.page.context)
    at.body("softmax", "return 1")
    expect(other.sheet("softmax").get_by_role("textbox")).to_contain_text("return 1")
    at.path.write_text(at.path.read_text().replace("return 1", "return 22"))
    for each in (at, other):
        expect(each.sheet("softmax").get_by_role("textbox")).to_contain_text("return 22")
    other.check("softmax", STABLE)
    other.says("softmax", "softmax: done.")
    watching.wait_for("softmax.*8/8")
    watching.close()
    expect(at.page.locator(".md-sidebar--secondary a.done[href='#softmax']")).to_have_count(1)


def test_conflicting_texts_are_both_shown(at):
    sheet, signature = at.sheet("dot_attention_score"), "def dot_attention_score(dec_hidden_state, annotations):"
    at.page.evaluate("""window.kept = [], WebSocket.prototype.send_ = WebSocket.prototype.send,
      WebSocket.prototype.send = function (text) { kept.push(() => this.send_(text)) }, 0""")
    at.body("dot_attention_score", "return 1")
    at.path.write_text(at.path.read_text().replace(signature, f"{signature}  # elsewhere"))
    alert = sheet.get_by_role("alert")
    expect(alert).to_contain_text("# elsewhere")
    expect(sheet.get_by_role("textbox")).to_contain_text("return 1")
    at.page.evaluate("WebSocket.prototype.send = WebSocket.prototype.send_, kept.forEach((send) => send())")
    alert.get_by_role("button", name="Take the file's").click()
    expect(sheet.get_by_role("textbox")).to_contain_text("# elsewhere")
    sheet.get_by_role("button", name="Earlier versions").click()
    expect(sheet.locator(".told")).to_contain_text("return 1")


def test_text_typed_while_the_server_is_down_is_saved_later(folder, site, opened, monkeypatch):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    monkeypatch.setattr(server, "listen", lambda door, pages: listen(door, pages, port))
    with serve_folder(folder, site) as address:
        at = BookEditors(chapter_of(opened(None, at=address)), folder)
    expect(at.page.get_by_text("The book's server has stopped.").first).to_be_visible()
    with serve_stranger(port) as heard:
        assert heard.get(timeout=SECONDS) == "open"
        at.body("softmax", STABLE)
        assert [heard.get(timeout=SECONDS) for _ in range(2)] == ["open", "open"], "it asks again, and says nothing"
    expect(at.page.get_by_text("The book's server has stopped.").first).to_be_visible()
    assert "np.max(scores)" not in at.path.read_text()
    with serve_folder(folder, site) as address:
        again = BookEditors(chapter_of(opened(None, at=address, context=at.page.context)), folder)
        expect(again.sheet("softmax").get_by_role("textbox")).to_contain_text("np.max(scores)")
        again.page.wait_for_timeout(1500)
        assert "np.max(scores)" in at.path.read_text()


def test_a_card_looks_as_in_a_notebook_and_nothing_scrolls_sideways(at):
    """The card has the same pixels when it is alone on a page without the book's styles."""
    at.check("softmax", NAIVE)
    at.says("softmax", "overflow")
    card, alone = at.sheet("softmax").locator(".attn"), at.page.context.new_page()
    for width, scheme in itertools.product((1280, 390), ("default", "slate")):
        at.page.set_viewport_size({"width": width, "height": 900})
        at.page.evaluate("scheme => document.body.dataset.mdColorScheme = scheme", scheme)
        assert at.page.evaluate("document.documentElement.scrollWidth") <= width
        pinned = """(card) => {
          const host = card.getRootNode().host, paper = getComputedStyle(document.body).backgroundColor;
          host.style = "";
          const width = Math.floor(host.getBoundingClientRect().width), ink = getComputedStyle(card).color;
          host.style = `position:fixed;left:8px;top:8px;width:${width}px;z-index:99;background:${paper}`;
          const style = `--jp-content-font-color1:${ink};${host.style.cssText}`;
          return `<!doctype html><div style="${style}">${card.outerHTML}</div>`;
        }"""  # At whole pixels, the screenshots of equal cards are equal.
        alone.set_content(card.evaluate(pinned))
        in_book, in_notebook = (Image.open(BytesIO(each.screenshot())) for each in (card, alone.locator(".attn")))
        assert ImageChops.difference(in_book, in_notebook).getbbox() is None, (width, scheme)


def test_undo_stops_at_the_text_of_the_file(desk):
    at = desk()
    text = at.sheet("attend").get_by_role("textbox")

    def undone():
        text.click()
        for _ in range(4):
            at.page.keyboard.press("Control+z")
        at.page.wait_for_timeout(1200)
        assert "def attend" in at.path.read_text()

    undone()
    at.body("attend", "return 1")
    undone()
    at.path.write_text(at.path.read_text().replace("def attend(", "def attend(  # elsewhere\n    "))
    expect(text).to_contain_text("# elsewhere")
    undone()
    assert "# elsewhere" in at.path.read_text()
    at.page.on("dialog", lambda dialog: dialog.accept())
    at.sheet("attend").get_by_role("button", name="Start over").click()
    expect(text).not_to_contain_text("# elsewhere")
    undone()
    assert at.path.read_text() == (Path(server.__file__).parents[2] / "exercises/one_query.py").read_text()


def test_a_definition_is_removed_only_after_a_yes_and_can_be_restored(at):
    name = "apply_attention_scores"
    at.body(name, "return np.multiply(annotations, attention_weights)")
    at.page.wait_for_timeout(1200)
    sheet, press = at.sheet(name), at.page.keyboard.press
    press("Control+a")
    press("Delete")
    alert = sheet.get_by_role("alert")
    expect(alert).to_contain_text(f"This would remove `{name}`")
    assert "np.multiply" in at.path.read_text()
    alert.get_by_role("button", name="Put it back").click()
    expect(sheet.get_by_role("textbox")).to_contain_text("np.multiply")
    press("Control+a")
    press("Delete")
    alert.get_by_role("button", name="Remove it").click()
    at.page.wait_for_timeout(1200)
    expect(alert).to_be_empty()
    assert "np.multiply" not in at.path.read_text()
    sheet.get_by_role("button", name="Earlier versions").click()
    earlier = sheet.locator(".told details").filter(has_text="np.multiply").first
    earlier.locator("summary").click()
    earlier.get_by_role("button", name="Put it back").click()
    at.page.wait_for_timeout(1200)
    assert "np.multiply" in at.path.read_text()


@pytest.mark.parametrize("seed", [6])  # with this seed, every action occurs at least twice
def test_no_typed_text_is_lost(folder, site, opened, seed):
    """Random typing, undoing, reloading, saves in an editor and restarts of the server lose nothing.

    Before an undo or a deletion, the test waits until the typed text is saved.
    """
    draw, typed, context, pause = random.Random(seed), list[str](), None, 1200
    for _ in range(2):
        with serve_folder(folder, site) as address:
            at = BookEditors(chapter_of(opened(None, at=address, context=context)), folder)
            context = at.page.context
            for number in range(12):
                sheet = at.sheet("softmax")
                content, press = sheet.get_by_role("textbox"), at.page.keyboard.press
                content.click()
                act = draw.choice(["type", "type", "undo", "delete", "reload", "editor", "check"])
                if act in ("undo", "delete") and pause < 1200:
                    at.page.wait_for_timeout(1200)
                match act:
                    case "type":
                        press("Control+End")
                        word = f"# {seed} {number} {draw.random()}"
                        at.page.keyboard.type(f"\n{word}")
                        typed.append(word)
                    case "undo":
                        for _ in range(draw.randrange(1, 6)):
                            press("Control+z")
                    case "delete":
                        press("Control+End")
                        press("Shift+ArrowUp")
                        press("Delete")
                    case "reload":
                        at.page.reload()
                        expect(at.page.locator(".sheet .cm-editor")).to_have_count(len(CHAPTER.exercises))
                    case "editor":
                        cell = read_answer_cell(at.path, CHAPTER.get_exercise("softmax"))
                        at.path.write_bytes(cell.with_source(f"{cell.source}\n# elsewhere {number}"))
                    case "check":
                        press("Control+Enter")
                at.page.wait_for_timeout(pause := draw.choice([0, 300, 1200]))
                choice = at.sheet("softmax").get_by_role("alert").get_by_role("button")
                if choice.count():
                    choice.nth(draw.randrange(choice.count())).click()
            at.page.wait_for_timeout(1200)
            assert "def softmax" in at.path.read_text()
    kept = at.path.read_text() + "\n".join(version.text for version in Versions(folder, "softmax").read())
    kept += at.page.evaluate("JSON.stringify(localStorage)")
    assert [word for word in typed if word not in kept] == []
