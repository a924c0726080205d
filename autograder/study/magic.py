"""The module that notebooks load: ``%load_ext autograder.study.magic``."""

from autograder.study.notebook.magic import load_ipython_extension

__all__ = ["load_ipython_extension"]
