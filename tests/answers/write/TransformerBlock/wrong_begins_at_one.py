# expect: TransformerBlock wrong
# like: plain.py
# edit: start=0 -> start=1
"""Positions begin at one where nobody says where: with a cache, all that follow are a step too near."""
