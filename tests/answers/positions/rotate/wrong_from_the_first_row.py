# expect: rotate wrong positions_relative_to_the_first_row
# like: wrong_default_base.py
"""As if each text began at 0."""
# edit: 10_00.0 -> 10_000.0
# edit: positions.double() -> (positions - positions[0]).double()
