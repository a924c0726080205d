"""A verdict before a person: in a terminal, on a card, as a picture. And figures that one can touch."""
