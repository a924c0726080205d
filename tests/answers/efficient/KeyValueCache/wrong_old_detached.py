# expect: KeyValueCache wrong cached_part_detached
"""What is kept has no graph."""

import torch


class KeyValueCache:
    def __init__(self):
        self.kept = None

    def append(self, k, v):
        both = k, v
        if self.kept is not None:
            both = [torch.cat(pair, dim=-2) for pair in zip(self.kept, both, strict=True)]
        self.kept = [part.detach() for part in both]
        return tuple(both)
