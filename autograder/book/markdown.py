"""Markdown extension of the book: MathML formulas, coloured headings, and folded boxes that the search ignores.

The site generator loads this module by its name in `book/mkdocs.yml`.
"""

import html
import re
from typing import Any

from markdown import Markdown
from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor
from math_core import LatexError, LatexToMathML

from autograder.api import figures
from autograder.chapters.errors import ChapterError

_FORMULA = re.compile(r'<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</\1>', re.DOTALL)
_HEADING = re.compile(r"<h[123][ >].*?</h[123]>", re.DOTALL)
_NOTION = re.compile(r"\b(?:quer(?:y|ies)|(?:key|value|weight)s?)\b(?![^<]*>)", re.IGNORECASE)
_FOLDED = ("<details ", '<div class="admonition exercise"')


class BookExtension(Extension):
    """A Markdown extension that changes the HTML of a page after all other extensions."""

    def extendMarkdown(self, md: Markdown) -> None:
        md.postprocessors.register(_BookPostprocessor(md), "book", priority=-10)


class _BookPostprocessor(Postprocessor):
    def run(self, text: str) -> str:
        text = _HEADING.sub(_colour_notions, _convert_formulas(text))
        for folded in _FOLDED:
            text = text.replace(folded, f"{folded.rstrip()} data-search-exclude ")
        return figures.MARKER.sub(lambda match: figures.make_element(match["name"], match["example"]), text)


def _colour_notions(heading: re.Match[str]) -> str:
    """Return a heading in which the words query, key, value and weight are coloured."""
    return _NOTION.sub(lambda word: f'<span class="notion {word[0][0].lower()}">{word[0]}</span>', heading[0])


def _convert_formulas(text: str) -> str:
    """Return HTML with its formulas as MathML, which browsers and screen readers support without a script."""
    converter = LatexToMathML()

    def convert(match: re.Match[str]) -> str:
        kind, formula = match[1], html.unescape(match[2])
        try:
            mathml = converter.convert_with_local_state(formula, displaystyle=kind == "div")
        except LatexError as error:
            raise ChapterError(f"the formula {formula} cannot be shown: {error}") from None
        return f'<div class="formula">{mathml}</div>' if kind == "div" else mathml

    return _FORMULA.sub(convert, text)


def makeExtension(**options: Any) -> BookExtension:
    return BookExtension(**options)
