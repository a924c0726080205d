# expect: KeyValueCache wrong several_words_replace_all
"""More than one word is taken for a new prompt."""

import torch


class KeyValueCache:
    def __init__(self):
        self.cache = None

    def append(self, k, v):
        if self.cache is None or k.size(-2) > 1:
            self.cache = (k, v)
        else:
            self.cache = tuple(torch.cat(pair, dim=-2) for pair in zip(self.cache, (k, v), strict=True))
        return self.cache
