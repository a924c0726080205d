"""Views of a verdict for the terminal, as an HTML card and as a picture, and the book's interactive figures."""
