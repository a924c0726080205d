"""Interactive figures: their numbers agree with NumPy, and mouse, touch and keyboard work."""

import importlib
import re

import numpy as np
import pytest

from autograder.views import figures
from making import stills
from support.grading import load_solution
from support.late import LazyModule

torch = LazyModule("torch")

pytestmark = [pytest.mark.needs("chromium"), pytest.mark.slow]
EXAMPLES = [(name, example) for name in figures.list_names() for example in (None, *stills.EXAMPLES.get(name, ()))]


@pytest.fixture(scope="module")
def shared_page(chromium):
    page, wrong = chromium.new_page(), []
    page.set_default_timeout(20_000)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: wrong.append(request.url) if request.url.startswith("http") else None)
    return page, wrong


@pytest.fixture
def page(shared_page):
    """Yield an empty page. The test fails if a script in the page raises an error or requests a file from a server."""
    page, wrong = shared_page
    page.goto("about:blank")
    page.set_viewport_size({"width": 1280, "height": 1200})
    yield page
    page.emulate_media(media="screen", reduced_motion="no-preference")
    assert not [wrong.pop() for _ in wrong.copy()]


@pytest.fixture(scope="module")
def page_without_scripts(chromium):
    return chromium.new_page(java_script_enabled=False)


def open_figure(page, name, example=None, scheme="default", width=1280):
    page.set_viewport_size({"width": width, "height": 1200})
    page.set_content(f'<body data-md-color-scheme="{scheme}">{figures.render_standalone(name, example)}</body>')
    return page.locator("[data-figure][data-ready]")


def compute(page, name, expression):
    return page.evaluate(f"(({{ {', '.join(FUNCTIONS[name])} }}) => ({expression}))(figures.added['{name}'])")


FUNCTIONS = {
    "softmax": ["weights", "exponentials"],
    "dot-product": ["dot", "shadow", "angle"],
    "attention-map": ["attention", "EXAMPLES"],
    "heads": ["layout"],
    "rope": ["rotate", "parts", "QUERY", "KEY"],
    "kv-cache": ["computed"],
    "learning": ["weights"],
    "next-letter": ["chances", "drawn"],
    "story": ["Model", "draw_token"],
    "queries-keys": ["attend", "X", "START"],
    "online-softmax": ["passes", "SCORES", "VALUES", "BLOCK"],
    "sqrt-d": ["scores", "means", "curve", "gradient", "normals", "POWERS", "DRAWS"],
}


def said(figure):
    return figure.locator(".said").inner_text()


def softmax(scores):
    exponentials = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def test_every_figure_is_tested():
    assert figures.list_names() == sorted(FUNCTIONS)


# Numbers


@pytest.mark.parametrize("temperature", [0.25, 1, 3])
def test_softmax_equals_numpys(page, temperature):
    open_figure(page, "softmax")
    scores = np.array([3, 1, -1, -2.5])
    for shift in (0, 900, -900):
        got = compute(page, "softmax", f"weights({(scores + shift).tolist()}, {{temperature: {temperature}}})")
        np.testing.assert_allclose(got, softmax(scores / temperature), rtol=1e-12)


def test_the_softmax_figure_overflows_for_the_same_scores_as_numpy(page):
    open_figure(page, "softmax")
    for shift, dtype in ((85.5, "float32"), (86, "float32"), (100, "float32"), (706, "float64"), (707, "float64")):
        scores = np.array([3, 1], dtype=dtype) + np.array(shift, dtype=dtype)
        with np.errstate(over="ignore", invalid="ignore"):
            plain = np.exp(scores) / np.exp(scores).sum()
        options = f"{{subtract: false, float32: {str(dtype == 'float32').lower()}}}"
        got = compute(page, "softmax", f"weights({scores.tolist()}, {options}).map(String)")
        np.testing.assert_allclose([float(each.replace("NaN", "nan")) for each in got], plain, rtol=1e-6)


def test_the_dot_product_is_the_shadow_times_the_length(page):
    open_figure(page, "dot-product")
    for a, b in (([3, 2], [4, -1]), ([-1.5, 2], [1, 1]), ([0, 2], [-3, 0])):
        got = compute(page, "dot-product", f"[dot({a}, {b}), shadow({a}, {b}), angle({a}, {b})]")
        cosine = np.dot(a, b) / np.linalg.norm(a) / np.linalg.norm(b)
        expected = [np.dot(a, b), np.dot(a, b) / np.linalg.norm(b), np.degrees(np.arccos(cosine))]
        np.testing.assert_allclose(got, expected, atol=1e-12)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("scaled", [False, True])
def test_the_attention_map_equals_numpys(page, causal, scaled):
    open_figure(page, "attention-map")
    vectors = np.array(compute(page, "attention-map", "EXAMPLES.journey[0].vectors"))
    options = f"{{causal: {str(causal).lower()}, scaled: {str(scaled).lower()}, times: 2}}"
    got = compute(page, "attention-map", f"attention(EXAMPLES.journey[0], {options})")
    scores = 4 * vectors @ vectors.T / (np.sqrt(3) if scaled else 1)
    hidden = np.triu(np.full((6, 6), -np.inf if causal else 0.0), 1)
    np.testing.assert_allclose(got, softmax(scores + np.nan_to_num(hidden, nan=0.0, neginf=-np.inf)), rtol=1e-12)


def test_splitting_and_merging_equal_numpys(page):
    open_figure(page, "heads")
    x = np.arange(24).reshape(3, 8)
    pieces = x.reshape(3, 2, 4)
    heads = pieces.swapaxes(0, 1)
    for step, expected in enumerate([x, pieces, heads, heads, pieces, x]):
        got = compute(page, "heads", f"layout({step})")
        np.testing.assert_array_equal(np.reshape(got["values"], got["shape"]), expected)
    got = compute(page, "heads", "layout(2, true)")
    np.testing.assert_array_equal(np.reshape(got["values"], got["shape"]), x.reshape(2, 3, 4))


@pytest.mark.parametrize("base", [1, 100, 10000])
def test_rotary_scores_depend_only_on_the_offset(page, base):
    open_figure(page, "rope")
    query, key = (np.array(compute(page, "rope", name)) for name in ("QUERY", "KEY"))
    rotate = load_solution("positions").rotate
    for places in ((0, 0), (8, 5), (38, 35), (5, 8)):
        q, k = (
            rotate(torch.tensor(vector.reshape(1, 8)), torch.tensor([place]), base=base).numpy()
            for vector, place in zip((query, key), places, strict=True)
        )
        np.testing.assert_allclose(np.ravel(compute(page, "rope", f"rotate(QUERY, {places[0]}, {base})")), q[0])
        pairs = compute(page, "rope", f"parts({places[0]}, {places[1]}, {base})")
        np.testing.assert_allclose(pairs, (q * k).reshape(4, 2).sum(axis=1), atol=1e-12)
    near, far, back = (np.sum(compute(page, "rope", f"parts({places})")) for places in ("8, 5", "38, 35", "5, 8"))
    assert near == pytest.approx(far) and near != pytest.approx(back)


def test_queries_and_keys_equal_numpys(page):
    open_figure(page, "queries-keys")
    x, start = (compute(page, "queries-keys", name) for name in ("X", "START"))
    x, wq, wk = np.array(x), np.array(start["wq"]), np.array(start["wk"])
    got = compute(page, "queries-keys", f"attend({start['wq']}, {start['wk']})")
    np.testing.assert_allclose(got["scores"], x @ wq @ (x @ wk).T / np.sqrt(2), rtol=1e-12)
    np.testing.assert_allclose(got["weights"], softmax(np.array(got["scores"])), rtol=1e-12)
    same = np.array(compute(page, "queries-keys", f"attend({start['wq']}, {start['wq']})")["scores"])
    np.testing.assert_allclose(same, same.T, rtol=1e-12)


@pytest.mark.parametrize(("temperature", "top_k"), [(1, 5), (0.5, 3), (2, 5), (0, 5), (1, 1)])
def test_letters_are_drawn_as_often_as_softmax_says(page, temperature, top_k):
    open_figure(page, "next-letter")
    logits = np.array([3, 2.2, 1.5, 0.4, -0.5])
    cut = np.where(logits < np.sort(logits)[-top_k], -np.inf, logits)
    expected = softmax(cut / temperature) if temperature else np.eye(5)[0]
    chances = compute(page, "next-letter", f"chances({logits.tolist()}, {temperature}, {top_k})")
    np.testing.assert_allclose(chances, expected, rtol=1e-12, atol=1e-15)
    drawn = compute(page, "next-letter", f"drawn({chances}, 4000, 7)")
    np.testing.assert_allclose(np.bincount(drawn, minlength=5) / 4000, expected, atol=0.03)


def test_the_story_figure_computes_the_same_as_the_chapters_model(page):
    open_figure(page, "story")
    module, stories = load_solution("stories"), importlib.import_module("given.stories")
    model = module.StoryModel(len(stories.read_words()))
    model.load_state_dict(stories.read_weights())
    tokens = stories.tokens_for("Once upon a time there was a boy named Tom.", stories.read_words())
    with torch.no_grad():
        expected = torch.log_softmax(model(tokens[None])[0, -1], dim=-1)
    reads = f"new Model(figures.data.story).reader()), {tokens.tolist()}.map((token) => read(token).logits).at(-1)"
    shares = torch.log_softmax(torch.tensor(compute(page, "story", f"(read = {reads}")), dim=-1)
    assert (shares.exp() - expected.exp()).abs().max() < 0.05  # The figure's weights have 8 bits.
    assert compute(page, "story", "draw_token([0, 3, 1], 0)") == 1
    assert "unknown" in compute(page, "story", 'new Model(figures.data.story).tokens("Hello Gandalf")')


@pytest.mark.parametrize("block", [1, 2, 3, 8])
def test_online_softmax_ends_with_softmax(page, block):
    open_figure(page, "online-softmax")
    scores, values = (np.array(compute(page, "online-softmax", name)) for name in ("SCORES", "VALUES"))
    known = compute(page, "online-softmax", f"passes(SCORES, VALUES, {block})")
    for end, now in zip([*range(block, 8, block), 8], known[1:], strict=True):
        exponentials = np.exp(scores[:end] - scores[:end].max())
        assert now["maximum"] == scores[:end].max()
        np.testing.assert_allclose([now["sum"], now["mixture"]], [exponentials.sum(), exponentials @ values[:end]])
    wrong = compute(page, "online-softmax", f"passes(SCORES, VALUES, {block}, false)")[-1]
    assert (wrong["mixture"] / wrong["sum"] == pytest.approx(softmax(scores) @ values)) == (block == 8)


def test_gradients_and_widths_equal_numpys(page):
    open_figure(page, "sqrt-d")
    powers, count = (compute(page, "sqrt-d", name) for name in ("POWERS", "DRAWS"))
    drawn = np.array(
        page.evaluate("(n) => Array.from({length: n}, (_, i) => figures.added['sqrt-d'].scores(i))", count)
    )
    vectors = [compute(page, "sqrt-d", f"Array.from(normals(1024, {seed}))") for seed in (1000, 5000, 5001)]
    np.testing.assert_allclose(drawn[0, -1, :2], [np.dot(vectors[0], vectors[1]), np.dot(vectors[0], vectors[2])])
    assert abs(np.mean(vectors)) < 0.05 and abs(np.std(vectors) - 1) < 0.05
    for scaled in (True, False):
        widths = 2.0 ** np.array(powers)
        weights = softmax(drawn / (np.sqrt(widths)[:, None] if scaled else 1))
        jacobians = weights[..., None] * np.eye(8) - weights[..., None] * weights[..., None, :]
        expected = np.median(np.linalg.norm(jacobians, axis=(-2, -1)), axis=0)
        got = page.evaluate(
            "([draws, scaled]) => figures.added['sqrt-d'].curve(draws, scaled)", [drawn.tolist(), scaled]
        )
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-9)
        means = page.evaluate(
            "([draws, scaled]) => figures.added['sqrt-d'].means(draws, scaled)", [drawn.tolist(), scaled]
        )
        np.testing.assert_allclose(means, np.sort(weights)[..., ::-1].mean(axis=0), rtol=1e-9)
        assert (expected[-1] > 0.3) == scaled and (expected[-1] < 1e-3) == (not scaled)


# Mouse and keyboard


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_every_control_changes_what_is_shown(page, name, example):
    figure, effective = open_figure(page, name, example), set()
    controls = figure.locator("[role=slider], [type=range], [type=checkbox], .controls button").all()
    state = "(node) => node.querySelector('svg').innerHTML + node.querySelector('.said').textContent"
    order = [*enumerate(controls)]
    for at, control in order[::-1] + order:  # A choice that is made already has an effect the second time.
        for key in ("ArrowUp", "ArrowDown", "Space"):
            before = figure.evaluate(state)
            control.press(key)
            effective |= {at} if figure.evaluate(state) != before else set()
    assert controls and effective == set(range(len(controls)))


def drag_handle(page, handle, right, up):
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right, y - up, steps=4)
    page.mouse.up()


def sort_by_place(figure):
    """Return the small texts in the lowest line of a figure, from left to right."""
    texts = [(text.bounding_box(), text.text_content()) for text in figure.locator("svg text.small").all()]
    lowest = max(box["y"] for box, _ in texts)
    return [text for box, text in sorted(texts, key=lambda pair: pair[0]["x"]) if abs(box["y"] - lowest) < 2]


def test_scores_move_and_adding_to_all_moves_nothing(page):
    figure = open_figure(page, "softmax")
    one = figure.get_by_role("slider", name="score one")
    assert one.get_attribute("aria-valuenow") == "3"
    assert "20.1+2.7+0.4+0.1= 23.3" in "".join(sort_by_place(figure))
    drag_handle(page, one, 0, 40)
    assert 3 < float(one.get_attribute("aria-valuenow")) <= 6
    one.press("ArrowDown")
    heights = [float(bar.get_attribute("height")) for bar in figure.locator("rect.lit").all()]
    figure.get_by_label("subtract the largest first").check()
    figure.get_by_role("button", name="+100 to all").press("Enter")
    after = [float(bar.get_attribute("height")) for bar in figure.locator("rect.lit").all()]
    assert after == pytest.approx(heights)
    assert "no weight has moved" in said(figure)
    figure.get_by_label("subtract the largest first").uncheck()
    figure.get_by_label("float32").press("Space")
    assert "infinity divided by infinity" in said(figure)
    assert figure.locator("text.bad").first.text_content() in ("NaN", "inf")


def test_arrows_move_and_so_does_their_product(page):
    figure = open_figure(page, "dot-product")
    tip = figure.get_by_role("slider", name="tip of the query")
    tip.press("ArrowRight")
    assert tip.get_attribute("aria-valuetext") == "3.5, 2"
    assert "3.5·4 + 2·(−1) = 12" in figure.locator("svg").text_content()
    drag_handle(page, tip, -300, 0)
    assert "the score is negative" in said(figure)


def find_largest_weight(figure):
    return float(re.search(r"[\d.]+(?= of its total weight of 1)", said(figure))[0])


def test_a_word_shows_its_row_by_mouse_and_by_keyboard(page):
    figure = open_figure(page, "attention-map")
    figure.get_by_role("button", name="What one attends to").hover()
    assert said(figure).startswith("“one” attends most to “starts”")
    figure.get_by_role("button", name="What with attends to").focus()
    page.keyboard.press("Tab")
    assert said(figure).startswith("“one”")
    figure.get_by_label("causal mask").check()
    assert figure.get_by_text("masked").count() == 1
    largest = [find_largest_weight(figure)]
    figure.get_by_label("divide the scores").uncheck()
    largest.append(find_largest_weight(figure))
    figure.get_by_role("slider", name="longer vectors").press("End")
    largest.append(find_largest_weight(figure))
    assert largest == sorted(set(largest))


def test_a_cache_counts_its_computations(page):
    figure = open_figure(page, "kv-cache")
    for _ in range(9):
        figure.get_by_role("button", name="Next").press("Enter")
    assert "6 with a cache, 21 without" in said(figure)
    assert figure.locator("rect.kept").count() >= 15
    figure.get_by_label("keep keys and values").press("Space")
    assert "keys and values of 6 words" in said(figure)
    figure.get_by_role("button", name="From the start").click()
    assert "Press Next" in said(figure)


def test_the_training_figure_can_be_stepped_through(page):
    figure = open_figure(page, "learning")
    slider = figure.get_by_role("slider", name="training")
    slider.press("Home")
    assert said(figure).startswith("After 0 steps the loss is 2.3")
    slider.press("End")
    assert "“two is one”, which it has never met, becomes “2 la 1”" in said(figure)
    figure.get_by_label("the average").check()
    assert "becomes “1 la 2”" in said(figure)
    figure.get_by_label("the average").uncheck()
    lit = [float(cell.get_attribute("opacity")) for cell in figure.locator("rect.lit").all()]
    assert np.argmax(np.reshape(lit, (3, 3, 3)), axis=-1)[:, [0, 2]].tolist() == [[0, 2]] * 3


# Touch


@pytest.fixture
def phone(chromium):
    context = chromium.new_context(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    page = context.new_page()
    touches = context.new_cdp_session(page)

    def touch(kind, *points):
        points = [{"x": x, "y": y} for x, y in points]
        touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        page.wait_for_timeout(40)

    def drag(x, y, right, up):
        touch("touchStart", (x, y))
        for step in range(1, 9):
            touch("touchMove", (x + right * step / 8, y - up * step / 8))
        touch("touchEnd")

    yield page, drag
    context.close()


def open_on_phone(page, name, example=None):
    view = '<meta name="viewport" content="width=device-width">'
    figure = figures.render_standalone(name, example)
    page.set_content(f'{view}<div style="height: 300px"></div>{figure}<div style="height: 2000px"></div>')
    page.evaluate("scrollTo(0, 250)")
    return page.locator("[data-figure][data-ready]")


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_sliders_and_handles_can_be_dragged_by_touch(phone, name, example):
    page, drag = phone
    figure = open_on_phone(page, name, example)
    grips = "input[type=range], .handle"
    for index in range(figure.locator(grips).count()):
        figure = open_on_phone(page, name, example)
        slider = figure.locator(grips).nth(index)
        value = "(node) => node.value ?? node.getAttribute('aria-valuetext')"
        before, box, scrolled = slider.evaluate(value), slider.bounding_box(), page.evaluate("scrollY")
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if slider.evaluate("(node) => node.localName") == "input":
            drag(x, y, 40, 0)
        else:
            for right, up in ((0, 0), (21, 0), (-21, 0), (0, 21), (0, -21)):
                at = slider.evaluate("(node, [x, y]) => document.elementFromPoint(x, y) === node", [x + right, y - up])
                assert at, "a grip of less than 44 pixels"
            drag(x - 15, y + 15, -40, 60)
        assert slider.evaluate(value) != before
        assert page.evaluate("scrollY") == scrolled


def test_a_grip_stays_under_the_finger(phone):
    page, drag = phone
    grip = open_on_phone(page, "dot-product").get_by_role("slider", name="tip of the query")
    before, scrolled = grip.bounding_box(), page.evaluate("scrollY")
    drag(before["x"] + before["width"] / 2, before["y"] + before["height"] / 2, 0, -110)
    assert page.evaluate("scrollY") == scrolled
    assert grip.bounding_box()["y"] - before["y"] == pytest.approx(110, abs=8)


def test_a_finger_chooses_words(phone):
    page, _ = phone
    figure = open_on_phone(page, "attention-map")
    figure.get_by_role("button", name="What step attends to").tap()
    assert said(figure).startswith("“step”")
    figure = open_on_phone(page, "attention-map", "trained")
    box = figure.locator("svg .area").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] * 3.5 / 12, box["y"] + box["height"] * 1.5 / 6)
    assert said(figure).startswith("Layer 1, head 3.")


# Layout and labels


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_everything_is_inside_and_named_on_a_phone_and_on_a_screen(page, name, example):
    for width in (390, 1280):
        figure = open_figure(page, name, example, width=width)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        outside = figure.locator("svg").evaluate("""(svg) => {
          const frame = svg.getBoundingClientRect();
          return [...svg.querySelectorAll("text")].filter((text) => {
            const box = text.getBoundingClientRect();
            return box.width && (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1
              || box.bottom > frame.bottom + 1);
          }).map((text) => text.textContent);
        }""")
        assert not outside
        smallest = figure.locator("svg").evaluate("""(svg) => {
          const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
          const sizes = [...svg.querySelectorAll("text")].map((text) => parseFloat(getComputedStyle(text).fontSize));
          return scale * Math.min(...sizes);
        }""")
        assert smallest > 9.5
    for role in ("slider", "button", "checkbox"):
        for control in figure.get_by_role(role).all():
            assert control.evaluate("(node) => node.ariaLabel || node.labels?.[0]?.innerText || node.innerText")


@pytest.mark.parametrize("name", figures.list_names())
def test_reduced_motion_is_respected(page, name):
    page.set_content(figures.render_standalone(name))
    for motion, still in (("reduce", True), ("no-preference", False)):
        page.emulate_media(reduced_motion=motion)
        times = page.eval_on_selector_all(
            ".moves", "(all) => all.map((node) => getComputedStyle(node).transitionDuration)"
        )
        assert all((time == "0s") == still for time in times)


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_without_scripts_and_on_paper_there_is_a_still(page, page_without_scripts, name, example):
    page_without_scripts.set_content(figures.render_standalone(name, example))
    svg = page_without_scripts.locator("svg")
    assert svg.locator("text").count() > 2 and page_without_scripts.locator(".said").inner_text()
    assert svg.bounding_box()["height"] > 100
    page.set_content(figures.render_standalone(name, example))
    page.emulate_media(media="print")
    assert not page.locator(".controls").is_visible() and page.locator("svg").is_visible()


def test_stills_equal_what_the_figures_show(page):
    stale = [path.name for path, still in stills.stills(page).items() if path.read_text("utf-8") != still]
    assert not stale, "run python -m making.stills"
    assert {path.name for path in (figures.FOLDER / "stills").iterdir()} == {
        figures.find_still_file(*each).name for each in EXAMPLES
    }
