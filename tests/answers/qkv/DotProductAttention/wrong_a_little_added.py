# expect: DotProductAttention wrong
# plain: The result is almost correct
# like: ../by_hand.py
# edit: exponentials.sum(dim=-1, keepdim=True).clamp(min=1e-30) -> (exponentials.sum(dim=-1, keepdim=True) + 1e-8)
