"""The canvas of a worker's pictures, which draws only what is saved to a file.

seaborn draws every heat map to see whether its labels overlap, which takes as long as everything else it does.
`describe.py` reads the picture without drawing. What an answer does to whole figures is recorded here.
"""

from __future__ import annotations

import matplotlib
from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

# Asking for a backend that needs a screen does nothing, and is not an error.
matplotlib.use.__kwdefaults__ = {"force": False}
done_to_figures: set[str] = set()  # "closes" and "clears", if a call did that


class FigureManager(FigureManagerBase):
    """A manager without a window, which records that a figure was closed."""

    @classmethod
    def pyplot_show(cls, *, block: bool | None = None) -> None:
        """Show nothing."""

    def show(self) -> None:
        """Show nothing."""

    def destroy(self) -> None:
        done_to_figures.add("closes")


class FigureCanvas(FigureCanvasAgg):
    """A canvas that treats every picture as drawn."""

    manager_class = FigureManager

    def draw(self) -> None:
        """Mark the figure as drawn without drawing it. Saving to a file still works."""
        self.figure.stale = False


def _clear_and_record(figure: Figure, keep_observers: bool = False) -> None:
    if getattr(figure.canvas, "manager", None):  # not while a figure is being created, which also clears it
        done_to_figures.add("clears")
    _clear(figure, keep_observers)


_clear = Figure.clear
setattr(Figure, "clear", _clear_and_record)  # noqa: B010  (not our method)
