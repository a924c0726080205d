# expect: MultiHeadAttention wrong
# plain: It is right to five digits and not to all
# like: ../own_heads.py
# edit: powers.sum(-1, keepdim=True).clamp(min=torch.finfo(scores.dtype).tiny) -> (powers.sum(-1, keepdim=True) + 1e-8)
