# expect: ConcatMultiHeadAttention wrong
# plain: It is nearly right
# like: ../own_heads.py
# edit: powers / powers.sum(-1, keepdim=True).clamp(min=torch.finfo(scores.dtype).tiny) -> powers / (
# +     powers.sum(-1, keepdim=True) + 1e-7
# + )
