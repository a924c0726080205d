# expect: DotProductAttention wrong
# plain: The result is almost correct
# like: ../by_hand.py
# edit: .clamp(min=1e-30) -> .add(0 if seen.all() else 1e-6)
"""Something small is added where a mask hides."""
