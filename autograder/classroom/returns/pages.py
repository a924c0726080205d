"""What every page of ours is made with: a template beside the others, in which all is text until we say otherwise."""

from collections.abc import Callable
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from autograder.api import prose


def template(name: str, kind: str = "html", **filters: Callable) -> Template:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=kind == "html",
        undefined=StrictUndefined,
        trim_blocks=True,
    )
    environment.filters |= {"sentence": sentence} | filters
    return environment.get_template(f"{name}.{kind}.j2")


def sentence(text: str) -> Markup:
    """A sentence of ours as HTML, with what stands in backticks as code."""
    return Markup(prose(text))
