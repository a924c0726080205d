"""The canvas of a worker's pictures: only what is saved to a file is ever drawn.

seaborn draws every heat map to see whether its labels touch, which takes as long as all else that it does. What a
reader would see is settled without that (`describe.py`). What an answer does to whole figures is noted.
"""

from __future__ import annotations

from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

done_to_figures: set[str] = set()  # "closes", "clears": since it was emptied


class FigureManager(FigureManagerBase):
    """Has no window, and notes what would be done to one."""

    @classmethod
    def pyplot_show(cls, *, block: bool | None = None) -> None:
        """Show nothing."""

    def show(self) -> None:
        """Show nothing."""

    def destroy(self) -> None:
        done_to_figures.add("closes")


class FigureCanvas(FigureCanvasAgg):
    """Takes a picture for drawn."""

    manager_class = FigureManager

    def draw(self) -> None:
        """Nothing, and say that nothing is left to draw; files are written by the class above."""
        self.figure.stale = False


def _note_clearing(figure: Figure, keep_observers: bool = False) -> None:
    if getattr(figure.canvas, "manager", None):  # a figure clears itself while it is made
        done_to_figures.add("clears")
    _clear(figure, keep_observers)


_clear = Figure.clear
setattr(Figure, "clear", _note_clearing)  # noqa: B010  (no method of ours)
