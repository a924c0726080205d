"""How far a learner is: one readable JSON file, changed under a lock and replaced whole.

    {"softmax": {"passed": "2026-03-01", "text": "5d41402abc4b2a76", "hints": 2, "checks": 3, "seconds": 410},
     "one_query": {"predicted": [true]}, "(here)": {"exercise": "attend", "time": 1772366400}}

``passed``, ``gave_up`` and ``given`` (with its solution, see `fast`) are days. ``hints`` counts those of the exercise
that were shown or that a verdict had said, ``hints_asked`` all that were asked for. Until it was done, ``checks``
counts those, ``mistakes`` are those that were named, the latest last, and ``seconds`` says how long it was worked on,
long breaks left out. ``own`` are the hints of the last verdict on it, of which ``own_seen`` were shown. ``spot`` tells
where its mistake is, as long as the answer is the one of the spot's ``text``. ``text`` tells whether the answer has
changed since; it begins with "ran" where it was judged in a notebook. ``predicted`` tells of each question on a chapter
that was answered whether the first try was right, and "(again)" on which day earlier ones came back.
"""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeGuard

from autograder.chapters.errors import UnreadableAnswer, why
from autograder.chapters.files import file_lock, make_folder, read_plain, write_whole

_KINDS = {"passed": str, "text": str, "hints": int, "gave_up": str, "predicted": list}
_KINDS |= {"given": str, "mistakes": list, "checks": int, "seconds": int, "exercise": str, "time": int, "spot": dict}
_KINDS |= {"own": list, "own_seen": int, "hints_asked": int}
_LOCK_SECONDS = 10
_MAX_BYTES = 4 << 20


def _say(sentence: str) -> None:
    print(sentence, file=sys.stderr)


class Progress:
    """The progress file of one folder of answers. Nothing raises: without it work goes on, and a sentence says so."""

    def __init__(self, folder: Path, tell: Callable[[str], None] = _say) -> None:
        self.folder, self.tell = folder, tell
        self.path = folder / "progress.json"

    def read(self) -> dict[str, dict]:
        """Exercise name -> what is known of it. It needs no lock: the file is only ever replaced whole."""
        content = self._content()
        return self.change(lambda content: None) if content is None else content

    def change(self, edit: Callable[[dict[str, dict]], object]) -> dict[str, dict]:
        """Have the content changed in place, by one process at a time; what it is now."""
        try:
            make_folder(self.folder.parent, self.folder.name)
            with file_lock(self.folder / "progress.lock", _LOCK_SECONDS):
                content = self._content()
                if content is None:
                    content = self._set_aside()
                before = json.dumps(content)
                edit(content)
                if json.dumps(content) != before:
                    write_whole(self.path, json.dumps(content, indent=2) + "\n")
        except OSError as error:  # a lock that another process keeps for ever is one, too
            self.tell(f"{self.path} cannot be kept: {why(error)}")
            content = {}
            edit(content)
        return content

    def _content(self) -> dict[str, dict] | None:
        """What the file says; None where that cannot be understood."""
        if not os.path.lexists(self.path):
            return {}
        try:
            content = json.loads(read_plain(self.path, _MAX_BYTES).decode("utf-8"))
        except (UnreadableAnswer, OSError, ValueError, RecursionError):
            return None
        return content if _is_good(content) else None

    def _set_aside(self) -> dict[str, dict]:
        names = (self.folder / f"progress.broken-{number}.json" for number in range(1, 1_000_000))
        aside = next(path for path in names if not os.path.lexists(path))
        os.replace(self.path, aside)
        self.tell(f"{self.path} could not be understood. It is kept as {aside}, and a new one begins.")
        return {}


def _is_good(content: object) -> TypeGuard[dict[str, dict]]:
    return isinstance(content, dict) and all(
        isinstance(facts, dict) and all(type(facts[name]) is kind for name, kind in _KINDS.items() if name in facts)
        for facts in content.values()
    )
