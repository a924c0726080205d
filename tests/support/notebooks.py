"""Actions of a learner in JupyterLab: find a cell, type into it, run it."""

import re

from playwright.sync_api import expect


def cell(notebook, text):
    return notebook.locator(".jp-CodeCell").filter(has=notebook.page.locator(".jp-InputArea-editor", has_text=text))


def type_instead(page, cell, old, new):
    """Replace a line of a cell, except for its indentation, by typing."""
    cell.get_by_text(old).click()
    page.keyboard.press("End")
    page.keyboard.press("Shift+Home")
    page.keyboard.type(new)
    expect(cell.locator(".cm-content")).to_contain_text(new)


def run(page, *cells):
    for each in cells:
        each.locator(".cm-line").last.click()
        page.keyboard.press("Shift+Enter")
        expect(each.locator(".jp-InputArea-prompt")).to_have_text(re.compile(r"\[\d+\]:"))
