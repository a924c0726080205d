"""Debian's Chromium, in which tests use pages like a learner or a teacher."""

import shutil
from contextlib import contextmanager

from playwright.sync_api import sync_playwright

from support.missing import require

FLAGS = [
    "--no-sandbox",  # Chromium's own sandbox refuses root, as which continuous integration runs.
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


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
