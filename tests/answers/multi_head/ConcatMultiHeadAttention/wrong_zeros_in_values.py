# expect: ConcatMultiHeadAttention wrong
# told: No gradient reaches heads.0.wq and heads.0.wk while there are only zeros in heads.0.wv
# like: ../einsum.py
# edit: self.wv = nn.Parameter(torch.empty(d_in, d_k).normal_()) -> self.wv = nn.Parameter(torch.zeros(d_in, d_k))
