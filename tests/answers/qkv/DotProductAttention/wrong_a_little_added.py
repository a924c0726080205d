# expect: DotProductAttention wrong
# plain: It is right to five digits and not to all
# like: ../by_hand.py
# edit: exponentials.sum(dim=-1, keepdim=True).clamp(min=1e-30) -> (exponentials.sum(dim=-1, keepdim=True) + 1e-8)
