"""Mistakes seen in answers to KeyValueCache."""

import itertools
import operator
import weakref

import torch

only_the_new_words = {"k, v = torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)": "pass"}
"""The result holds the new words only: it has to be all keys and values so far, the old ones and the new."""

newest_first = {
    "torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)": """
        torch.cat([k, self.k], dim=-2), torch.cat([v, self.v], dim=-2)
    """
}
"""The new words are put in front of the old ones: the oldest comes first."""

joined_along_the_last_axis = {
    "torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)": """
        torch.cat([self.k, k], dim=-1), torch.cat([self.v, v], dim=-1)
    """
}
"""The words are joined along the last axis, so that each gets wider: the axis of words is the last but one."""

joined_along_the_heads = {
    "torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)": """
        torch.cat([self.k, k], dim=-3), torch.cat([self.v, v], dim=-3)
    """
}
"""The words are joined along the axis of heads, so that there are more heads: the axis of words is the next one."""

joined_along_the_first_axis = {
    "torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)": """
        torch.cat([self.k, k], dim=0), torch.cat([self.v, v], dim=0)
    """
}
"""The words are joined along the first axis, so that the batch grows: the axis of words is the last but one."""

counted_from_the_front = {
    "torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)": """
        torch.cat([self.k, k], dim=1), torch.cat([self.v, v], dim=1)
    """
}
"""The axis is counted from the front, as 1: these are the words of `(h, m, d)`, but the heads of a batch.

Which number does the axis of words have, counted from the end?
"""

counted_from_the_front_with_one_batch_axis = {
    "torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)": """
        torch.cat([self.k, k], dim=2), torch.cat([self.v, v], dim=2)
    """
}
"""The axis is counted from the front, as 2, which is right with exactly one batch axis: count from the end."""

stacked = {
    "torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)": """
        torch.stack([self.k, k], dim=-2), torch.stack([self.v, v], dim=-2)
    """
}
"""`torch.stack` puts old and new along a new axis: they have to be joined along one that is there already."""

only_the_last_two_portions = {
    "if self.k is not None:": "new_k, new_v = k, v\nif self.k is not None:",
    "self.k, self.v = k, v": "self.k, self.v = new_k, new_v",
}
"""Only the new portion is kept, so that the third call has lost the first: keep what has been joined."""

returned_before_appending = {
    "if self.k is not None:": """
        old = (k[..., :0, :], v[..., :0, :]) if self.k is None else (self.k, self.v)
        if self.k is not None:
    """,
    "return k, v": "return old",
}
"""What is returned was there before this call: the new words belong to it, for a word attends to itself too."""

first_portion_not_kept = {
    "if self.k is not None:": """
        if self.k is None:
            self.k, self.v = k[..., :0, :], v[..., :0, :]
            return k, v
        if self.k is not None:
    """
}
"""The first portion is returned but not kept, so that the second call does not know of it.

Is what the first call gets stored, too?
"""

keys_and_values_swapped = {"return k, v": "return v, k"}
"""Values come first in the result: it is keys, then values."""

keys_in_place_of_values = {"if self.k is not None:": "v = k\nif self.k is not None:"}
"""The keys are kept twice, and the values are not: look at the names in the line for the values."""

_ALIVE, _COUNT = weakref.WeakSet(), itertools.count()


class shared_by_all_caches:
    """All caches keep their words in one place, so that one text reads the words of another: keep them on `self`.

    A list in the class body, or as a default argument, is made only once.
    """

    def __init__(self):
        self.pieces = []
        _ALIVE.add(self)  # what is shared goes when the caches of a test go, so that no replay disturbs the next

    def append(self, k, v):
        self.pieces.append((next(_COUNT), k, v))
        _, ks, vs = zip(*sorted((p for cache in _ALIVE for p in cache.pieces), key=operator.itemgetter(0)), strict=True)
        return torch.cat(ks, dim=-2), torch.cat(vs, dim=-2)


pieces_not_joined = {
    "self.k = self.v = None": "self.k, self.v = [], []",
    """
        if self.k is not None:
            k, v = torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)
        self.k, self.v = k, v
        return k, v
    """: "self.k.append(k)\nself.v.append(v)\nreturn list(self.k), list(self.v)",
}
"""A list of all portions is returned: what is asked for is one tensor of keys and one of values, joined."""

begun_anew_in_every_call = {
    "self.k = self.v = None": "self.pieces = []",
    """
        if self.k is not None:
            k, v = torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)
        self.k, self.v = k, v
    """: """
        self.pieces.append((k, v))
        k, v = self.pieces[0]
        for more_k, more_v in self.pieces[1:]:
            k, v = torch.cat([k, more_k], dim=-2), torch.cat([v, more_v], dim=-2)
    """,
}
"""Every call joins all portions again, one after the other, so that the first is copied once for every call since.

What does the call before already have?
"""

cut_off_from_gradients = {"if self.k is not None:": "k, v = k.detach(), v.detach()\nif self.k is not None:"}
"""What is appended is detached, so that no gradient reaches it: leave it in the graph."""

last_word_of_each_portion = {"if self.k is not None:": "k, v = k[..., -1:, :], v[..., -1:, :]\nif self.k is not None:"}
"""Only the last word of each portion is kept: a portion may have many words, as a prompt has."""
