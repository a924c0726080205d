"""The book in Chromium: pages do not scroll sideways, make no network requests, and all their functions work."""

import pytest
from playwright.sync_api import expect

from autograder.book.boxes import read_predictions
from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.questions.computed import questions_on
from support.browser import CONTRASTS

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]


@pytest.mark.parametrize("name", ["index", *curriculum.CHAPTERS, "solutions/MultiHeadAttention"])
def test_nothing_scrolls_sideways(opened, name):
    page = opened(name)
    page.eval_on_selector_all("details", "(all) => all.forEach((each) => (each.open = true))")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        wide = page.eval_on_selector_all(
            "article *",
            """(all, width) => all.filter((node) => {
              const box = node.getBoundingClientRect();
              return box.width && box.right > width + 1 && !node.closest("pre, .formula, .picture, svg");
            }).map((node) => node.outerHTML.slice(0, 80))""",
            width,
        )
        assert not wide
        cut = "(codes) => codes.filter((code) => code.scrollWidth > code.clientWidth + 1).length"
        assert page.eval_on_selector_all("article pre > code", cut) == 0, "code fits its column"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_contrast_with_their_background(opened, scheme):
    page = opened("one_query", scheme=scheme)
    page.eval_on_selector_all("details", "(all) => all.forEach((each) => (each.open = true))")
    words = "article p, article li, article a:not(.headerlink, .part), article pre span:not(:has(*))"
    chosen = f"{words}, .exercise code, summary, .md-nav a"
    results = page.eval_on_selector_all(chosen, CONTRASTS)
    assert len(results) > 200
    assert not [each for each in results if each[1] < 4.5]


def test_the_stub_is_copied_with_one_button(opened, site):
    page = opened("one_query")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("[data-copies=stub-softmax]").click()
    expect(page.locator("[data-copies=stub-softmax]")).to_have_text("Copied")
    exercise = read_chapter("one_query").get_exercise("softmax")
    assert page.evaluate("navigator.clipboard.readText()").strip() == exercise.stub.strip()


def test_predictions_are_answered_as_in_the_terminal(opened):
    page = opened("one_query")
    page.eval_on_selector_all("details", "(all) => all.forEach((each) => (each.open = true))")
    forms = page.locator("form.prediction").all()
    for form, known in zip(forms, questions_on("one_query"), strict=True):
        message = form.get_by_role("status")
        for answer, reply in [*known.wrong.items(), (known.right, "")]:
            if known.kind == "letter":
                form.get_by_role("radio", name=known.choices[answer]).check()
            else:
                form.get_by_role("textbox").fill(str(answer))
            form.get_by_role("button", name="Check").press("Enter")
            expect(message).to_have_text(f"No. {reply}" if reply else f"Yes. {known.question.because}")
        form.get_by_role("button", name="Show the answer").click()
        expect(message).to_contain_text(known.question.because)


def test_predictions_are_read_as_in_the_terminal(opened):
    page = opened("one_query")
    question = {question.kind: question for question in questions_on("one_query")}
    typed = ["0.25", "0,25", "1/4", "25 %", "about 7.4", "≈ 3", "−2", "1e3", "x", "", "1/0", "nan", "inf", "1 000"]
    for text in typed:
        assert page.evaluate("(text) => predictions.number(text)", text) == question["number"].read(text), text
    typed = ["(2, 3)", "[2,3]", "2x3", "2 by 3", "shape (4,)", "()", "torch.Size([2, 3])", "two", "", "4"]
    for text in typed:
        read = question["shape"].read(text)
        assert page.evaluate("(text) => predictions.shape(text)", text) == (None if read is None else list(read)), text


SECTIONS = {
    "softmax overflow": "one_query#softmax_1",
    "causal mask": "all_queries#who-may-look-where-the-causal-mask",
    "softmax backward": "backward#softmax-backward",
    "online softmax": "efficient#never-store-the-table",
    "why divide by sqrt": "all_queries#scaled-dot-product-attention",
    "how does causal zebra mask": "all_queries#who-may-look-where-the-causal-mask",
}


def test_the_search_finds_the_section_not_the_docstring(opened):
    page = opened("index")
    page.get_by_role("button", name="Search").click()
    for words, page_and_section in SECTIONS.items():
        expected, section = page_and_section.split("#")
        page.keyboard.press("Control+a")
        page.keyboard.type(words, delay=30)
        links = page.get_by_role("option")
        best = page.locator(f"[role=option][href*='/{expected}.html'][href$='#{section}']")
        expect(best.first).to_be_visible()
        for _ in range(20):  # Each key that was typed draws the list again.
            hrefs = links.evaluate_all("links => links.slice(0, 5).map((link) => link.href)")
            found = any(f"/{expected}.html" in href and href.endswith(f"#{section}") for href in hrefs)
            if found:
                break
            page.wait_for_timeout(100)
        assert found, (words, hrefs)
        assert links.filter(has_text="array_like").count() == 0


def test_without_scripts_a_question_names_the_command_that_asks_it(chromium, site):
    page = chromium.new_page(java_script_enabled=False)
    page.goto(f"{site.as_uri()}/one_query.html")
    message = page.locator("details.question noscript").all_text_contents()
    assert len(message) == len(read_predictions(read_chapter("one_query")))
    assert all("attn predict one_query" in each for each in message)
    page.close()
