# expect: AdditiveAttention wrong
# plain: was created without Wk.weight
import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq = nn.Linear(num_in_features, num_out_features, bias=False)
        self.Wk = nn.Parameter(torch.randn(num_in_features, num_out_features))
        self.Ws = nn.Linear(num_out_features, 1, bias=False)

    def forward(self, queries, keys, values):
        features = torch.tanh(self.Wq(queries).unsqueeze(-2) + (keys @ self.Wk).unsqueeze(-3))
        weights = torch.softmax(self.Ws(features).squeeze(-1), dim=-1)
        return weights @ values, weights
