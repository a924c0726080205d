"""The Jinja templates of pages and texts, with autoescaping in HTML."""

from collections.abc import Callable
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from autograder.api import to_html


def load_template(name: str, kind: str = "html", **filters: Callable) -> Template:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=kind == "html",
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    environment.filters |= {"sentence": render_sentence} | filters
    return environment.get_template(f"{name}.{kind}.j2")


def render_sentence(text: str) -> Markup:
    """Return a sentence as HTML, with text in backticks as code."""
    return Markup(to_html(text))
