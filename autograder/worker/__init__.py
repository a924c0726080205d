"""What runs beside an answer: nothing of the kit but this folder."""
