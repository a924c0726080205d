# expect: all passed
# ruff: noqa: E731
"""A lambda, keys in front of queries and turned at the end, a layer class of its own, float64 where it is unsure."""

import torch

additive_scores = lambda q, k, w: (torch.tanh(k.unsqueeze(-2) + q.unsqueeze(-3)).double() @ w.double()).mT


class Projection(torch.nn.Linear):
    """A linear layer that starts from small numbers."""

    def reset_parameters(self):
        with torch.no_grad():
            self.weight.normal_(0, 0.02)
            self.bias.fill_(0.1)


class AdditiveAttention(torch.nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256, **options):
        torch.nn.Module.__init__(self)
        self.Wq = Projection(num_in_features, num_out_features)
        self.Wk = Projection(num_in_features, num_out_features)
        self.Ws = Projection(num_out_features, 1)
        self.softmax, self.tanh = torch.nn.Softmax(dim=-1), torch.nn.Tanh()

    def forward(self, queries, keys, values, temperature=1.0):
        table = self.Wk(keys).unsqueeze(-2) + self.Wq(queries).unsqueeze(-3)  # (..., n_k, n_q, hidden)
        scores = self.Ws(self.tanh(table)).squeeze(-1).mT
        self.last = self.softmax(scores / temperature)
        return self.last.matmul(values), self.last
