"""Data and loaders that the course gives: nothing here is an exercise, and importing it needs no more than NumPy."""

from pathlib import Path

SMALL_GLOVE = Path(__file__).with_name("glove.small.txt")
