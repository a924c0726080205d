"""What `attn start` says it did."""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

from autograder.study.start.handouts import ANSWERS
from autograder.study.start.start import Outcome

_SAID = {
    "new": "new: {}",
    "renewed": "brought up to date: {}",
    "merged": "brought up to date around what you wrote: {}",
    "left": "left as you have it: {}",
}


def told(folder: Path, outcomes: list[Outcome]) -> Iterator[str]:
    """The lines for the learner."""
    found = {what: [outcome.name for outcome in outcomes if outcome.what == what] for what in (*_SAID, "same")}
    chapters = [name for name in found["new"] if Path(name).match(f"{ANSWERS}/*.py")]
    if len(found["new"]) == len(outcomes):
        yield f"{folder} is ready: {len(chapters)} chapters in {folder / ANSWERS}, and README.md says how to go on."
    elif len(found["same"]) == len(outcomes):
        yield f"{folder} holds all of this version already. Nothing was changed."
    else:
        for what, sentence in _SAID.items():
            yield from (sentence.format(folder / name) for name in found[what])
        if kept := [outcome.backup for outcome in outcomes if outcome.backup]:
            yield f"What you had before is kept in {kept[0].parent}."
    here = folder.resolve() == Path.cwd()
    yield "Now: attn watch" if here else f"Now: cd {_quoted(folder)} && attn watch"


def _quoted(folder: Path) -> str:
    return f'"{folder}"' if os.name == "nt" and " " in str(folder) else shlex.quote(str(folder))
