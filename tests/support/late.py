"""Lazy imports of modules that take seconds, so that collecting tests stays fast."""

import functools
import importlib


class LazyModule:
    """A module that is imported when a test first uses it. `load` replaces the default import."""

    def __init__(self, name, load=importlib.import_module):
        vars(self)["load"] = functools.partial(load, name)

    def __getattr__(self, attribute):
        if attribute in ("__test__", "__bases__"):  # pytest reads these of every global of a test file.
            raise AttributeError(attribute)
        return getattr(vars(self)["load"](), attribute)

    def __setattr__(self, attribute, value):
        setattr(vars(self)["load"](), attribute, value)
