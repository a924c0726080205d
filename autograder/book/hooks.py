"""What MkDocs asks while it builds the book: which pages there are, and how formulas are shown.

Pages are made in memory, so that a chapter is written in one place.
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
from autograder.chapters.notebook import stub_notebook
from autograder.views import figures

FIGURES = "figures"  # the folder of their scripts, beside the pages that have some
_FORMULA = re.compile(r'<(span|div) class="arithmatex">\\[(\[](.*?)\\[)\]]</\1>', re.DOTALL)


def on_config(config):
    """List the chapters in the navigation."""
    units = {pages.unit_title(unit): [f"{name}.md" for name in names] for unit, names in curriculum.UNITS.items()}
    config.extra_css.append(f"{FIGURES}/{figures.STYLE.name}")
    chapters = ({title: names} for title, names in units.items())
    config.nav = [{"Start": "index.md"}, *chapters, {"History": "history.md"}]
    return config


def on_files(files, config):
    """Add the chapters, their notebooks and pictures, the solutions, and the figures, to what lies in `book/pages`."""
    for path in (figures.STYLE, figures.SHARED, *map(figures.script, figures.names())):
        files.append(File.generated(config, f"{FIGURES}/{path.name}", abs_src_path=str(path)))
    for name in curriculum.CHAPTERS:
        chapter = read_chapter(name)
        pictures = drawn(chapter)
        files.append(File.generated(config, f"{name}.md", content=pages.chapter_page(chapter, pictures)))
        files.append(File.generated(config, f"{pages.NOTEBOOKS}/{name}.ipynb", content=stub_notebook(chapter)))
        for path in (path for picture in pictures for figure in picture.figures for path in figure.files):
            files.append(File.generated(config, f"pictures/{name}/{path.name}", abs_src_path=str(path)))
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

    content = _FORMULA.sub(shown, content)
    for folded in ("<details ", '<div class="admonition exercise"'):
        content = content.replace(folded, f"{folded.rstrip()} data-search-exclude ")
    content, page.meta["figures"] = figures.with_stills(content, page.file.src_uri)
    return content


def on_post_page(output, page, config):
    """Load the figures that a page has, and name the search, whose dialog Material leaves without a name."""
    scripts = [figures.SHARED, *map(figures.script, page.meta["figures"])] if page.meta["figures"] else []
    loaded = "".join(f'<script defer src="{FIGURES}/{path.name}"></script>' for path in scripts)
    return output.replace('role="dialog">', 'role="dialog" aria-label="Search">').replace("</head>", f"{loaded}</head>")
