"""A progress bar for loops that take seconds. It is drawn only in a notebook or a terminal."""

import sys
from collections.abc import Iterator, Sequence
from typing import TypeVar

Step = TypeVar("Step")

WIDTH = 40


def track(steps: Sequence[Step], what: str) -> Iterator[Step]:
    """Yield the steps, and draw a bar that grows below a dotted line of its full length.

    The bar is never redrawn, because a page that is made from a notebook would show every state of it.

    Parameters
    ----------
    steps : sequence
        The steps, such as range(100).
    what : str
        The text above the bar.

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
