"""Mutants that survive and are right, each with a reason that a person who has read the mutant gave.

`accepted/<chapter>.txt` lists them by exercise and reason. ``make mutants NAME=softmax REASON="..."`` adds the mutants
that survive to the list and removes those that no longer do. Review this change like one of code. If an exercise has no
list, nobody has read its survivors, and all of them are shown.
"""

from itertools import groupby
from pathlib import Path

FOLDER = Path(__file__).with_name("accepted")


def read_accepted(chapter: str) -> dict[str, dict[str, str]]:
    """Return exercise -> accepted mutant -> reason, for a chapter."""
    path, accepted = FOLDER / f"{chapter}.txt", {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        text = line.strip()
        match len(line) - len(text):
            case 0:
                mutants = accepted[text] = {}
            case 2:
                reason = text
            case _:
                mutants[text] = reason
    return accepted


def write_accepted(chapter: str, accepted: dict[str, dict[str, str]]) -> None:
    """Write the accepted mutants in sorted order, so that diffs show only new ones."""
    lines = []
    for exercise, mutants in accepted.items():
        lines.append(exercise)
        by_reason = sorted((reason, mutant) for mutant, reason in mutants.items())
        for reason, group in groupby(by_reason, key=lambda pair: pair[0]):
            lines += [f"  {reason}", *(f"    {mutant}" for _, mutant in group)]
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{chapter}.txt").write_text("\n".join([*lines, ""]), encoding="utf-8")
