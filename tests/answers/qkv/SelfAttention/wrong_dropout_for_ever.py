# expect: SelfAttention wrong
# told: A row of the result `weights` sums to
# like: ../subclasses.py


class SelfAttention(DotProductAttention):
    def __init__(self, d_in, d_k):
        super().__init__()
        for name in ("wk", "wv", "wq"):
            setattr(self, name, nn.Parameter(torch.randn(d_in, d_k)))

    def forward(self, inp):
        q, k, v = project_qkv(inp, self.wq, self.wk, self.wv)
        weights = F.dropout(torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, dim=-1), 0.1)
        return weights @ v, weights
