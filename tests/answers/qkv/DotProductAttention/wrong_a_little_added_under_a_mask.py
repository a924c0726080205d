# expect: DotProductAttention wrong
# plain: It is nearly right
# like: ../by_hand.py
# edit: .clamp(min=1e-30) -> .add(0 if seen.all() else 1e-6)
"""Something small is added where a mask hides."""
