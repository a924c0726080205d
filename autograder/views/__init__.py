"""Views of a verdict: in a terminal, on a card, as a picture. Also interactive figures."""
