"""What name was perhaps meant where one is missing: Python tells it under a traceback, in no message."""

from __future__ import annotations

import builtins
import difflib
import functools
import traceback

MIN_LIKENESS = 0.8  # from where on one name is taken for another, misspelt: `soft_max` for `softmax`


def suggestion(error: BaseException) -> str:
    """What follows the message of an error, such as ``. Did you mean: 'softmax'?``; empty where nothing comes near."""
    if type(error) is AttributeError and isinstance(error.name, str):
        near = _nearest(error.name, tuple(dir(error.obj))) if error.obj is not None else ""
    elif type(error) is NameError and isinstance(error.name, str):
        near = _nearest_variable(error, error.name)
    else:
        return ""
    return f". Did you mean: '{near}'?" if near else ""


def _nearest_variable(error: NameError, name: str) -> str:
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    variables = {**vars(builtins), **frame.f_globals, **frame.f_locals}
    return _nearest(name, tuple(variables))


@functools.lru_cache(maxsize=64)
def _nearest(name: str, names: tuple[str, ...]) -> str:
    return next(iter(difflib.get_close_matches(name, names, 1, MIN_LIKENESS)), "")
