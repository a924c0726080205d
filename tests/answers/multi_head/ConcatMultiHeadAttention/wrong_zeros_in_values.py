# expect: ConcatMultiHeadAttention wrong
# told: As long as there are only zeros in heads.0.wv, no gradient reaches heads.0.wq and heads.0.wk
# like: ../einsum.py
# edit: self.wv = nn.Parameter(torch.empty(d_in, d_k).normal_()) -> self.wv = nn.Parameter(torch.zeros(d_in, d_k))
