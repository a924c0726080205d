# expect: KeyValueCache wrong
"""Remembers nothing."""

import torch


class KeyValueCache:
    def __init__(self):
        self.k, self.v = None, None

    def append(self, k, v):
        if self.k is None:
            self.k, self.v = k, v
        return torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)
