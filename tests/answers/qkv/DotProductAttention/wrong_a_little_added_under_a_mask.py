# expect: DotProductAttention wrong
# plain: It is right to five digits and not to all
# like: ../by_hand.py
# edit: return exponentials / exponentials -> little = 0 if seen.all() else 1e-6
# + return exponentials / (exponentials
# edit: .clamp(min=1e-30) -> + little)
