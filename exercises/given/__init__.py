"""Data and loaders that the course gives: nothing is an exercise, and all but `encoder` need no more than NumPy."""

from pathlib import Path

SMALL_GLOVE = Path(__file__).with_name("glove.small.txt")
