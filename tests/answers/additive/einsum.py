# expect: all passed
"""Einstein's way, the bias of the score left out because softmax does not see it, a list for a tuple."""

import warnings

import torch
import torch.nn.functional as F

warnings.warn("this answer warns", stacklevel=1)


def additive_scores(queries, keys, ws):
    bent = torch.tanh(torch.unsqueeze(queries, -2) + torch.unsqueeze(keys, -3))
    return torch.einsum("...qkd,d->...qk", bent, ws)


class AdditiveAttention(torch.nn.Module):
    def __init__(self, num_in_features: int = 300, num_out_features: int = 256):
        super().__init__()
        for name, width in {"Wq": num_in_features, "Wk": num_in_features, "Ws": num_out_features}.items():
            layer = torch.nn.Linear(width, 1 if name == "Ws" else num_out_features)
            torch.nn.init.xavier_uniform_(layer.weight)
            torch.nn.init.zeros_(layer.bias)
            setattr(self, name, layer)

    def forward(self, queries, keys, values):
        print("queries", queries.shape, "keys", keys.shape)
        scores = additive_scores(self.Wq(queries), self.Wk(keys), self.Ws.weight.squeeze(0))
        weights = F.softmax(scores, -1)
        return [torch.einsum("...qk,...kd->...qd", weights, values), weights]
