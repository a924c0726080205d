# expect: all passed
# like: broadcasting.py
# edit: )  # made first -> , bias=False)
"""A score without a bias, which the contract leaves open."""
