# expect: DotProductAttention wrong weights_first
# like: ../subclasses.py


class DotProductAttention(Scores):
    def forward(self, queries, keys, values, mask=None):
        scores = super().forward(queries, keys)
        if mask is not None:
            scores = scores + mask.to(scores.dtype) * -1e9
        weights = torch.softmax(scores, dim=-1)
        return weights, weights @ values
