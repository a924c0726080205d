"""Where True and False stand in a mask, beside where they should."""

import numpy as np


def where(got, expected, given):
    if got.dtype != bool or expected.dtype != bool or not got.ndim:
        return
    extra, lacking = got & ~expected, ~got & expected
    if got.any() and expected.any() and not (got & expected).any():
        yield "{it} is nowhere True where it should be"
    told = [
        f"has True {place} where False was expected" if (place := _place(extra)) else "",
        f"has False {place} where True was expected" if (place := _place(lacking)) else "",
    ]
    if any(told):
        yield f"{{it}} {', and '.join(filter(None, told))}"
    elif extra.any() != lacking.any() and got.any():
        where = "everywhere it should be, and in other places too"
        yield f"{{it}} is True {where if extra.any() else 'only where it should be, but not in all of these places'}"


def _place(wrong):
    """In words, where all that is wrong lies in a table; empty where that is no one place."""
    if not wrong.any() or wrong.ndim < 2:
        return ""
    rows, columns = wrong.shape[-2:]
    if rows == columns > 1:
        far = np.arange(columns) - np.arange(rows)[:, None]
        for words, region in (("on the diagonal", far == 0), ("above the diagonal", far > 0), ("below it", far < 0)):
            if not wrong[..., ~region].any():
                return words.replace("below it", "below the diagonal")
    at = np.flatnonzero(wrong.reshape(-1, columns).any(0))
    if len(at) == 1 and columns > 2:
        return f"in column {at[0]}"
    at = np.flatnonzero(wrong.any(-1).reshape(-1, rows).any(0))
    return f"in row {at[0]}" if len(at) == 1 and rows > 2 else ""
