# expect: AdditiveAttention wrong
# told: `Ws` is one parameter here: what is asked for is a layer, with Ws.weight and Ws.bias.
import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq = nn.Linear(num_in_features, num_out_features, bias=False)
        self.Wk = nn.Linear(num_in_features, num_out_features, bias=False)
        self.Ws = nn.Parameter(torch.randn(num_out_features))

    def forward(self, queries, keys, values):
        scores = torch.tanh(self.Wq(queries).unsqueeze(-2) + self.Wk(keys).unsqueeze(-3)) @ self.Ws
        weights = torch.softmax(scores, dim=-1)
        return weights @ values, weights
