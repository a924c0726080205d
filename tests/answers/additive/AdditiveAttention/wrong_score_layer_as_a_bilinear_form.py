# expect: AdditiveAttention wrong vector_instead_of_one_score
import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        self.Wq = nn.Linear(num_in_features, num_out_features)
        self.Wk = nn.Linear(num_in_features, num_out_features)
        self.Ws = nn.Linear(num_out_features, num_out_features)

    def forward(self, queries, keys, values):
        weights = torch.softmax(self.Wq(queries) @ self.Ws(self.Wk(keys)).mT, dim=-1)
        return weights @ values, weights
