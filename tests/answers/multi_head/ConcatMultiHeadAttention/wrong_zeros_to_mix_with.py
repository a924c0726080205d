# expect: ConcatMultiHeadAttention wrong
# told: As long as there are only zeros in out, no gradient reaches any head
# like: ../own_heads.py
# edit: torch.full((num_heads * d_k, d_k), 0.5) -> torch.zeros(num_heads * d_k, d_k)
