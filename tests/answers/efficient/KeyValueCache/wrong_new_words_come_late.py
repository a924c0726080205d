# expect: KeyValueCache wrong returned_before_appending
import torch


class KeyValueCache:
    def __init__(self):
        self.k = self.v = None

    def append(self, k, v):
        if self.k is None:
            self.k, self.v = k, v
            return k, v
        before = self.k, self.v
        self.k, self.v = torch.cat([self.k, k], -2), torch.cat([self.v, v], -2)
        return before
