"""What a light install leaves out, and the sentence that says how to get it."""

import importlib.util

from autograder.chapters.errors import MissingExtra

# Extra of pyproject.toml -> what it is called in a sentence, and the packages without which nothing of it works.
EXTRAS = {
    "torch": ("PyTorch", ("torch",)),
    "classroom": ("nbgrader", ("nbgrader", "jupytext", "IPython")),
    "pretrained": ("safetensors and tokenizers", ("safetensors", "tokenizers")),
    "book": ("MkDocs Material", ("material", "math_core")),
    "cluster": ("Dask", ("distributed",)),
    "postgresql": ("psycopg", ("psycopg",)),
}


def has(package):
    """Whether a package is installed; it is not imported."""
    return importlib.util.find_spec(package) is not None


def missing(extra):
    """Whether anything of an extra is not installed."""
    return not all(map(has, EXTRAS[extra][1]))


def require(extra, what):
    """Raise `MissingExtra` where an extra is not installed.

    Parameters
    ----------
    extra : str
        A key of `EXTRAS`.
    what : str
        What needs it, as the subject of a sentence.
    """
    if missing(extra):
        raise MissingExtra(sentence(what, extra))


def sentence(what, extra, verb="needs"):
    """What to install."""
    return f"{what} {verb} {EXTRAS[extra][0]}: pip install 'attention-exercises[{extra}]'"


def lacking(libraries):
    """The extra without which one of these libraries cannot be imported; None where nothing is missing."""
    return next((library for library in libraries if library in EXTRAS and missing(library)), None)


def require_libraries(chapter, what=""):
    """Raise `MissingExtra` where answers to a chapter cannot be judged here."""
    if extra := lacking(chapter.libraries):
        require(extra, what or chapter.name)
