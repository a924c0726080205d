# expect: ConcatMultiHeadAttention wrong
# plain: The result is almost correct
# like: ../own_heads.py
# edit: powers / powers.sum(-1, keepdim=True).clamp(min=torch.finfo(scores.dtype).tiny) -> powers / (
# +     powers.sum(-1, keepdim=True) + 1e-7
# + )
