"""What a light install leaves out, and the sentence that says how to get it."""

import importlib.util
from collections.abc import Iterable

from autograder.chapters import curriculum
from autograder.chapters.errors import MissingExtra

# Extra of pyproject.toml -> what it is called in a sentence, what of it is imported, and what pip installs for it.
EXTRAS = {
    "torch": ("PyTorch", "torch", "torch"),
    "lab": ("JupyterLab and Jupytext", "jupyterlab jupytext", "jupyterlab jupytext"),
    "classroom": ("nbgrader", "nbgrader jupytext IPython tomlkit babel", "nbgrader jupytext tomlkit babel"),
    "pretrained": ("safetensors and tokenizers", "safetensors tokenizers", "safetensors tokenizers"),
}


def has(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def missing(extra: str) -> bool:
    return not all(map(has, EXTRAS[extra][1].split()))


def require(extra: str, what: str) -> None:
    """Raise `MissingExtra` where an extra is not installed; `what` needs it, as the subject of a sentence."""
    if missing(extra):
        raise MissingExtra(sentence(what, extra))


def sentence(what: str, extra: str, verb: str = "needs") -> str:
    """What is missing, and the command that brings it to where the kit stands, which may be on no index."""
    name, _, packages = EXTRAS[extra]
    return f"{what} {verb} {name}: {'make setup' if curriculum.IS_CLONE else f'pip install {packages}'}"


def lacking(libraries: Iterable[str]) -> str | None:
    """The extra without which one of these libraries cannot be imported; None where nothing is missing."""
    return next((library for library in libraries if library in EXTRAS and missing(library)), None)


def require_libraries(libraries: Iterable[str], what: str) -> None:
    if extra := lacking(libraries):
        raise MissingExtra(sentence(what, extra))
