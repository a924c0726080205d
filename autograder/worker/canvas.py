"""A Matplotlib canvas that draws a picture only if the answer saves it to a file.

seaborn draws every heat map to find out whether labels overlap, which takes half of its time. `describe.py` reads
pictures without drawing them. Calls of an answer that close or clear figures are recorded here.
"""

from __future__ import annotations

import matplotlib
from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

# If an answer selects a backend that needs a screen, nothing happens, instead of an error.
matplotlib.use.__kwdefaults__ = {"force": False}
done_to_figures: set[str] = set()  # contains "closes" or "clears" if the answer closed or cleared a figure


class FigureManager(FigureManagerBase):
    """A figure manager without a window. It records that a figure was closed."""

    @classmethod
    def pyplot_show(cls, *, block: bool | None = None) -> None:
        """Show nothing."""

    def show(self) -> None:
        """Do nothing: figures of answers are never shown."""

    def destroy(self) -> None:
        done_to_figures.add("closes")


class FigureCanvas(FigureCanvasAgg):
    """A canvas that marks figures as drawn instead of drawing them."""

    manager_class = FigureManager

    def draw(self) -> None:
        """Mark the figure as drawn without drawing it. Saving to a file still works."""
        self.figure.stale = False


def _clear_and_record(figure: Figure, keep_observers: bool = False) -> None:
    if getattr(figure.canvas, "manager", None):  # Creating a figure also clears it, but before it has a manager.
        done_to_figures.add("clears")
    _clear(figure, keep_observers)


_clear = Figure.clear
setattr(Figure, "clear", _clear_and_record)  # noqa: B010  (pyrefly refuses an assignment)
