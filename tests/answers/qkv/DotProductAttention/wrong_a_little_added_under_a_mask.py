# expect: DotProductAttention wrong
# plain: It is right to five digits and not to all
# like: ../by_hand.py
# edit: return exponentials / exponentials.sum(dim=-1, keepdim=True).clamp(min=1e-30) -> sums = exponentials.sum(-1, keepdim=True)
# + return exponentials / (sums if seen.all() else sums + 1e-6)
