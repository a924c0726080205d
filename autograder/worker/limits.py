"""A limit that readers of answers share with the wire; here, where it can be known without NumPy."""

MAX_TEXT = 100_000  # characters of one text, or of one cell
