"""Still images of the figures, made with Chromium: run `python -m making.stills` after changing a figure."""

from pathlib import Path

from playwright.sync_api import Page

from autograder.views import figures
from support.browser import chromium

EXAMPLES = {"attention-map": ("pronouns", "trained")}  # figure -> its examples, each of which gets a still
_STILL = """(root) => {
  const still = root.cloneNode(true);
  still.querySelector(".controls").remove();
  const kept = new Set(["viewBox", "aria-label", "class", "style", "d", "points", "opacity", "stroke-width",
    "x", "y", "transform", "visibility", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx", "width", "height"]);
  for (const node of still.querySelectorAll("*")) {
    for (const { name, value } of [...node.attributes])
      if (!kept.has(name) || !value) node.removeAttribute(name);
      else node.setAttribute(name, value.replace(/\\d+\\.\\d+/g, (digits) => Number(Number(digits).toFixed(2))));
    if (node.localName !== "svg") node.removeAttribute("aria-label");
  }
  const drawing = still.querySelector("svg");
  drawing.setAttribute("role", "img");
  return still.innerHTML;
}"""


def stills(page: Page) -> dict[Path, str]:
    texts = {}
    for name in figures.list_names():
        for example in (None, *EXAMPLES.get(name, ())):
            shows = f' data-example="{example}"' if example else ""
            page.set_content(f'<div data-figure="{name}"{shows}></div>{figures.render_scripts(name, example)}')
            texts[figures.find_still_file(name, example)] = page.locator("[data-figure]").evaluate(_STILL) + "\n"
    return texts


def main() -> None:
    with chromium() as browser:
        for path, still in stills(browser.new_page()).items():
            path.parent.mkdir(exist_ok=True)
            path.write_text(still, encoding="utf-8")


if __name__ == "__main__":
    main()
