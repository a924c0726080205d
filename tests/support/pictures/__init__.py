"""The pictures in README.md, made from the real program: `make pictures`.

Those of terminals are SVG, and the same again as long as the program says the same. Photographs of pages have a text
beside them, what the page said when it was taken. Tests hold both to what the program says today.
"""

from autograder.chapters.curriculum import ROOT

FOLDER = ROOT / "docs" / "pictures"
