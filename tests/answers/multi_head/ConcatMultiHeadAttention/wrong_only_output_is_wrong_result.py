# expect: ConcatMultiHeadAttention wrong heads_averaged
# like: wrong_out_is_a_module_with_parameters.py


class ConcatMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_k, num_heads):
        super().__init__()
        self.heads = nn.ModuleList([Head(d_in, d_k) for _ in range(num_heads)])
        self.out = nn.Parameter(torch.randn(num_heads * d_k, d_k))

    def forward(self, inp):
        results = [h(inp) for h in self.heads]
        mixed = torch.stack([o for o, _ in results]).mean(0)
        return mixed @ self.out[: mixed.shape[-1]], torch.stack([w for _, w in results], dim=-3)
