"""Debian's Chromium, in which tests use pages like a learner or a teacher."""

import shutil
from contextlib import contextmanager

from playwright.sync_api import sync_playwright

from support.missing import require

FLAGS = [
    "--no-sandbox",  # Chromium's sandbox does not run as root, and continuous integration is root.
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Returns (class and first words, contrast with the background) for each node that shows text.
CONTRASTS = """(nodes) => nodes.filter((node) => node.getClientRects().length &&
    [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim())).map((node) => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const paint = (colour) => { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); };
  paint(getComputedStyle(document.body).backgroundColor);
  const behind = [];
  for (let each = node; each; each = each.parentElement) behind.unshift(getComputedStyle(each).backgroundColor);
  behind.forEach(paint);
  const light = () => [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = light();
  paint(getComputedStyle(node).color);
  const ink = light();
  return [node.className + ": " + node.textContent.slice(0, 30),
    (Math.max(ground, ink) + 0.05) / (Math.min(ground, ink) + 0.05)];
})"""


@contextmanager
def chromium(**options):
    require("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS, **options)
        try:
            yield browser
        finally:
            browser.close()


def type_and_save(field, text):
    """Type into a field of a submission, leave the field, and wait until Formgrader has saved it."""
    field.fill(text)
    with field.page.expect_response(lambda response: response.request.method == "PUT") as saved:
        field.press("Tab")
    assert saved.value.ok
