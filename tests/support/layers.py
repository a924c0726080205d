"""Classes and functions that tests call as an answer in the test process, without a worker."""

import numpy as np
import torch


class Layer(torch.nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.linear = torch.nn.Linear(d_in, d_out)
        self.heads = torch.nn.ModuleList([torch.nn.Linear(d_out, 1)])
        self.scale = torch.nn.Parameter(torch.ones(d_out))
        self.frozen = torch.nn.Parameter(torch.ones(1), requires_grad=False)
        self.plain = torch.ones(2)
        self.kept = [torch.zeros(2), "no tensor"]

    def forward(self, x):
        hidden = self.linear(x) * self.scale
        return hidden, self.heads[0](hidden)

    def detached(self, x):
        return self.linear(x.detach())


class NoModule:
    def __init__(self, d_in, d_out):
        self.weight = torch.ones(d_in, d_out)

    def __call__(self, x):
        return x @ self.weight


def nothing(x):
    """Return nothing, as if the `return` were forgotten."""


def twice(x, whole=None):
    return 2 * x


def constant(x):
    return torch.ones(2)


def draws(ax=None):
    import matplotlib.pyplot as plt  # noqa: PLC0415  (an answer may import it here, too)

    ax = plt.subplots()[1] if ax is None else ax
    ax.imshow(np.array([[1.0, 2.0], [3.0, 4.0]]).view(np.matrix))
    return ax


def draws_nothing(ax):
    return ax
