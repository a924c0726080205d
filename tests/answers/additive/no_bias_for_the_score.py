# expect: all passed
"""A score without a bias, which the contract leaves open."""

from torch import nn


def additive_scores(q, k, w):
    pairs = q[..., :, None, :] + k[..., None, :, :]
    return (w * pairs.tanh()).sum(-1)


class AdditiveAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Ws = nn.Linear(num_out_features, 1, bias=False)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Wq = nn.Linear(num_in_features, num_out_features)

    def forward(self, q, k, v):
        pairs = self.Wq(q)[..., :, None, :] + self.Wk(k)[..., None, :, :]
        scores = self.Ws(pairs.tanh())[..., 0]
        exponentials = (scores - scores.amax(-1, keepdim=True)).exp()
        weights = exponentials / exponentials.sum(-1, keepdim=True)
        return (weights[..., None] * v[..., None, :, :]).sum(-2), weights
