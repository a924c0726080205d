# expect: rotate wrong
# like: wrong_into_x_itself.py
# edit: positions.to( -> positions.sort().values.to(
# edit: out = x -> out = torch.empty_like(x)
"""Sorted positions."""
