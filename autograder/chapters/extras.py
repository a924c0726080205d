"""What a light install leaves out, and the sentence that says how to get it."""

import importlib.util

from autograder.chapters.errors import MissingExtra

# Extra of pyproject.toml -> what it is called in a sentence, and the packages without which nothing of it works.
EXTRAS = {
    "torch": ("PyTorch", ("torch",)),
    "classroom": ("nbgrader", ("nbgrader", "jupytext")),
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
        raise MissingExtra(f"{what} needs {EXTRAS[extra][0]}: pip install 'attention-exercises[{extra}]'")


def lacking(chapter):
    """The sentence on what has to be installed before answers to a chapter can be checked; None where nothing has."""
    for library in chapter.libraries:
        if library in EXTRAS and missing(library):
            name, _ = EXTRAS[library]
            return f"{chapter.name} needs {name}: pip install 'attention-exercises[{library}]'"
    return None
