"""Mistakes seen in answers to KeyValueCache."""

import itertools
import operator
import weakref

import torch


class _Cache:
    """The right cache, the joining of which can be replaced."""

    def __init__(self):
        self.k = self.v = None

    def join(self, old, new):
        return torch.cat([old, new], dim=-2)

    def append(self, k, v):
        if self.k is not None:
            k, v = self.join(self.k, k), self.join(self.v, v)
        self.k, self.v = k, v
        return k, v


class only_the_new_words(_Cache):
    """The result holds the new words only: it has to be all keys and values so far, the old ones and the new."""

    def join(self, old, new):
        return new


class newest_first(_Cache):
    """The new words are put in front of the old ones: the oldest comes first."""

    def join(self, old, new):
        return torch.cat([new, old], dim=-2)


class joined_along_the_last_axis(_Cache):
    """The words are joined along the last axis, so that each gets wider: the axis of words is the last but one."""

    def join(self, old, new):
        return torch.cat([old, new], dim=-1)


class joined_along_the_heads(_Cache):
    """The words are joined along the axis of heads, so that there are more heads: the axis of words is the next one."""

    def join(self, old, new):
        return torch.cat([old, new], dim=-3)


class joined_along_the_first_axis(_Cache):
    """The words are joined along the first axis, so that the batch grows: the axis of words is the last but one."""

    def join(self, old, new):
        return torch.cat([old, new], dim=0)


class counted_from_the_front(_Cache):
    """The axis is counted from the front, as 1: these are the words of `(h, m, d)`, but the heads of a batch.

    Which number does the axis of words have, counted from the end?
    """

    def join(self, old, new):
        return torch.cat([old, new], dim=1)


class counted_from_the_front_with_one_batch_axis(_Cache):
    """The axis is counted from the front, as 2, which is right with exactly one batch axis: count from the end."""

    def join(self, old, new):
        return torch.cat([old, new], dim=2)


class stacked(_Cache):
    """`torch.stack` puts old and new along a new axis: they have to be joined along one that is there already."""

    def join(self, old, new):
        return torch.stack([old, new], dim=-2)


class only_the_last_two_portions(_Cache):
    """Only the new portion is kept, so that the third call has lost the first: keep what has been joined."""

    def append(self, k, v):
        joined = (k, v) if self.k is None else (self.join(self.k, k), self.join(self.v, v))
        self.k, self.v = k, v
        return joined


class returned_before_appending(_Cache):
    """What is returned was there before this call: the new words belong to it, for a word attends to itself too."""

    def append(self, k, v):
        old = (k[..., :0, :], v[..., :0, :]) if self.k is None else (self.k, self.v)
        super().append(k, v)
        return old


class first_portion_not_kept(_Cache):
    """The first portion is returned but not kept, so that the second call does not know of it.

    Is what the first call gets stored, too?
    """

    def append(self, k, v):
        if self.k is None:
            self.k, self.v = k[..., :0, :], v[..., :0, :]
            return k, v
        return super().append(k, v)


class keys_and_values_swapped(_Cache):
    """Values come first in the result: it is keys, then values."""

    def append(self, k, v):
        return super().append(k, v)[::-1]


class keys_in_place_of_values(_Cache):
    """The keys are kept twice, and the values are not: look at the names in the line for the values."""

    def append(self, k, v):
        return super().append(k, k)


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


class pieces_not_joined(_Cache):
    """A list of all portions is returned: what is asked for is one tensor of keys and one of values, joined."""

    def __init__(self):
        self.ks, self.vs = [], []

    def append(self, k, v):
        self.ks.append(k)
        self.vs.append(v)
        return list(self.ks), list(self.vs)


class begun_anew_in_every_call(_Cache):
    """Every call joins all portions again, one after the other, so that the first is copied once for every call since.

    What does the call before already have?
    """

    def __init__(self):
        self.pieces = []

    def append(self, k, v):
        self.pieces.append((k, v))
        all_k, all_v = self.pieces[0]
        for more_k, more_v in self.pieces[1:]:
            all_k, all_v = self.join(all_k, more_k), self.join(all_v, more_v)
        return all_k, all_v


class cut_off_from_gradients(_Cache):
    """What is appended is detached, so that no gradient reaches it: leave it in the graph."""

    def append(self, k, v):
        return super().append(k.detach(), v.detach())


class last_word_of_each_portion(_Cache):
    """Only the last word of each portion is kept: a portion may have many words, as a prompt has."""

    def append(self, k, v):
        return super().append(k[..., -1:, :], v[..., -1:, :])
