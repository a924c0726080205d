"""Data, loaders and drawings that the course gives: nothing is an exercise.

All but `encoder` and `training` (torch) and `drawing` (Matplotlib) need no more than NumPy.
"""

from pathlib import Path

SMALL_GLOVE = Path(__file__).with_name("glove.small.txt")
PROSE = Path(__file__).with_name("prose.txt")
ALICE = Path(__file__).with_name("alice.txt")
