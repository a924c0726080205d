# expect: cross_attention wrong
# plain: The result is almost correct
# like: ../by_hand.py
# edit: exponentials / torch.sum(exponentials, dim=-1, keepdim=True) -> exponentials / (
# +     torch.sum(exponentials, dim=-1, keepdim=True) + 1e-6
# + )
