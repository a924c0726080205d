"""A bar for loops that take seconds: in a notebook or a terminal, and silent elsewhere."""

import sys

WIDTH = 40


def track(steps, what):
    """Give out one step after the other, and draw how far it is.

    Parameters
    ----------
    steps : sequence
        Such as range(100).
    what : str
        Stands in front of the bar.

    Yields
    ------
    object
        Each of the steps.
    """
    seen, shown = "ipykernel" in sys.modules or sys.stdout.isatty(), -1
    for done, step in enumerate(steps, start=1):
        yield step
        full = WIDTH * done // len(steps)
        if seen and full > shown:
            bar, end = "█" * full + "·" * (WIDTH - full), "\n" if full == WIDTH else ""
            print(f"\r{what}  {bar}  {done} of {len(steps)}", end=end, flush=True)
            shown = full
