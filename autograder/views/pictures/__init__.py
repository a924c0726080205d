"""Yours, target and difference: a wrong result as a picture, in coloured cells of a terminal, in tables of a page."""
