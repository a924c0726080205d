"""What MkDocs asks while it builds the book: which pages there are, and how formulas are shown.

Pages are made in memory, so that a chapter is written in one place. `book/mkdocs.yml` names this file.
"""

import html
import re

from math_core import LatexError, LatexToMathML
from mkdocs.structure.files import File

from autograder.book import pages
from autograder.book.pictures import drawn
from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.chapters.errors import ChapterError

_FORMULA = re.compile(r'<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</\1>', re.DOTALL)


def on_config(config):
    """List the chapters in the navigation."""
    units = {pages.unit_title(unit): [f"{name}.md" for name in names] for unit, names in curriculum.UNITS.items()}
    config.nav = [{"Start": "index.md"}, *({title: chapters} for title, chapters in units.items())]
    return config


def on_files(files, config):
    """Add the chapters, their pictures and the solutions to what lies in `book/pages`."""
    for name in curriculum.CHAPTERS:
        chapter = read_chapter(name)
        pictures = drawn(chapter)
        files.append(File.generated(config, f"{name}.md", content=pages.chapter_page(chapter, pictures)))
        for figure in (figure for picture in pictures for figure in picture.figures):
            place = f"pictures/{name}/{figure.path.name}"
            files.append(File.generated(config, place, abs_src_path=str(figure.path)))
        for exercise in chapter.exercises:
            solution = pages.solution_page(exercise)
            files.append(File.generated(config, f"solutions/{exercise.name}.md", content=solution))
    return files


def on_page_markdown(markdown, page, config, files):
    """End the start page with the list of chapters."""
    return "\n\n".join([markdown, *pages.contents()]) if page.is_homepage else markdown


def on_page_content(content, page, config, files):
    """Show formulas as MathML, for which browsers and screen readers need no script; search nothing that is folded."""
    converter = LatexToMathML()

    def shown(match):
        kind, formula = match.groups()
        try:
            mathml = converter.convert_with_local_state(html.unescape(formula), displaystyle=kind == "div")
        except LatexError as error:
            reason = f"the formula {html.unescape(formula)} cannot be shown: {error}"
            raise ChapterError(f"{page.file.src_uri}: {reason}") from None
        return f'<div class="formula">{mathml}</div>' if kind == "div" else mathml

    return _FORMULA.sub(shown, content).replace("<details ", "<details data-search-exclude ")


def on_post_page(output, page, config):
    """Name the search for those who hear the page; Material leaves its dialog without a name."""
    return output.replace('role="dialog">', 'role="dialog" aria-label="Search">')
