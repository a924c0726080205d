# expect: ConcatMultiHeadAttention wrong
# told: No gradient reaches any head because out is 0 everywhere
# like: ../own_heads.py
# edit: torch.full((num_heads * d_k, d_k), 0.5) -> torch.zeros(num_heads * d_k, d_k)
