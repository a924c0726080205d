"""Pictures of a wrong result, the target and their difference, as coloured terminal cells or HTML tables.

The colours are nine steps of ColorBrewer's Blues and RdBu. Blues becomes steadily darker, so it is also readable in
grey. In a grey RdBu, equal positive and negative numbers look the same, so differences are printed with their sign.
"""

VALUES = ("#f7fbff", "#deebf7", "#c6dbef", "#9ecae1", "#6baed6", "#4292c6", "#2171b5", "#08519c", "#08306b")
DIFFERENCES = ("#053061", "#2166ac", "#4393c3", "#a6cee3", "#f7f7f7", "#fbb4a0", "#d6604d", "#b2182b", "#67001f")
ODD = "#f2e6a0"  # colour of nan and infinity
STEPS = len(VALUES)


def choose_ink(colour: str) -> str:
    """Return the text colour, black or white, that is easier to read on this background colour."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#000000" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"
