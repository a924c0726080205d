"""Data, loaders and drawings for the chapters. Nothing here is an exercise.

NumPy is enough to read the data. Models need torch, `drawing` needs Matplotlib, and downloads need other packages.
"""

from pathlib import Path

SMALL_GLOVE = Path(__file__).with_name("glove.small.txt")
PROSE = Path(__file__).with_name("prose.txt")
ALICE = Path(__file__).with_name("alice.txt")
