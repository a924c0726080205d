"""A bar for loops that take seconds: in a notebook or a terminal, and silent elsewhere."""

import sys
from collections.abc import Iterator, Sequence
from typing import TypeVar

Step = TypeVar("Step")

WIDTH = 40


def track(steps: Sequence[Step], what: str) -> Iterator[Step]:
    """Give out one step after the other, and draw how far it is under a line as long as all of them.

    Nothing is drawn twice: a page that is made of a notebook would show every state of a bar.

    Parameters
    ----------
    steps : sequence
        Such as range(100).
    what : str
        Stands above the bar.

    Yields
    ------
    object
        Each of the steps.
    """
    seen, full = "ipykernel" in sys.modules or sys.stdout.isatty(), 0
    if seen:
        print(f"{what}, {len(steps)} steps", "·" * WIDTH, sep="\n")
    for done, step in enumerate(steps, start=1):
        yield step
        if seen:
            more = WIDTH * done // len(steps) - full
            full += more
            print("█" * more, end="\n" if done == len(steps) else "", flush=True)
