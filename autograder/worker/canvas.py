"""The canvas of a worker's pictures: nobody looks at it, so only what is saved to a file is ever drawn.

seaborn draws every heat map to see whether its labels touch, which takes as long as all else that it does. What a
reader would see is settled without that (`describe.py`).
"""

from matplotlib.backends.backend_agg import FigureCanvasAgg


class FigureCanvas(FigureCanvasAgg):
    """Takes a picture for drawn."""

    def draw(self):
        """Nothing, and say that nothing is left to draw; files are written by the class above."""
        self.figure.stale = False
