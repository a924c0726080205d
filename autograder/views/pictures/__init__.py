"""Yours, target and difference: a wrong result as a picture.

``picture_of(test.mismatch)`` gives a `Picture`, or None where there is nothing to draw. Two views of it:

- ``cells.Cells(picture)``: coloured cells for a terminal, to be printed by Rich;
- ``page.as_html(picture)``: tables for a page, with ``page.CSS`` once beside them.
"""

from autograder.views.pictures.picture import Picture, picture_of

__all__ = ["Picture", "picture_of"]
