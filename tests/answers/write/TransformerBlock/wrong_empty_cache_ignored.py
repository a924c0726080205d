# expect: TransformerBlock wrong
# like: ../compact.py
# edit: if cache is not None: -> if cache:
"""A cache that is still empty is taken for none."""
