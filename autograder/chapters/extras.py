"""Optional libraries (extras), and the sentences that say how to install a missing one."""

import importlib.util
from collections.abc import Iterable

from autograder.chapters import curriculum
from autograder.chapters.errors import MissingExtra

# Extra in pyproject.toml -> (its name in a sentence, modules to import, packages for pip).
EXTRAS = {
    "torch": ("PyTorch", "torch", "torch"),
    "lab": ("JupyterLab and Jupytext", "jupyterlab jupytext", "jupyterlab jupytext"),
    "classroom": ("nbgrader", "nbgrader jupytext IPython tomlkit babel", "nbgrader jupytext tomlkit babel"),
    "pretrained": ("safetensors and tokenizers", "safetensors tokenizers", "safetensors tokenizers"),
}

IMPORTS = {  # name in the course's code -> import statement that defines it
    "np": "import numpy as np",
    "torch": "import torch",
    "nn": "from torch import nn",
    "F": "import torch.nn.functional as F",
    "math": "import math",
    "plt": "import matplotlib.pyplot as plt",
    "sns": "import seaborn as sns",
}


def is_installed(package: str) -> bool:
    return importlib.util.find_spec(package) is not None


def is_missing(extra: str) -> bool:
    return not all(map(is_installed, EXTRAS[extra][1].split()))


def require_extra(extra: str, subject: str) -> None:
    """Raise `MissingExtra` if an extra is not installed. `subject`: what needs it, the subject of the message."""
    if is_missing(extra):
        raise MissingExtra(explain_missing(subject, extra))


def explain_missing(subject: str, extra: str, verb: str = "needs") -> str:
    """Return a sentence that says what `subject` needs, and names the command that installs it."""
    name, _, packages = EXTRAS[extra]
    return f"{subject} {verb} {name}: {'make setup' if curriculum.IS_CLONE else f'pip install {packages}'}"


def find_missing_extra(libraries: Iterable[str]) -> str | None:
    return next((library for library in libraries if library in EXTRAS and is_missing(library)), None)


def require_libraries(libraries: Iterable[str], subject: str) -> None:
    if extra := find_missing_extra(libraries):
        raise MissingExtra(explain_missing(subject, extra))
