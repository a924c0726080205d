# expect: ConcatMultiHeadAttention wrong
# told: No gradient reaches heads.0.wq and heads.0.wk because heads.0.wv is 0 everywhere
# like: ../einsum.py
# edit: self.wv = nn.Parameter(torch.empty(d_in, d_k).normal_()) -> self.wv = nn.Parameter(torch.zeros(d_in, d_k))
