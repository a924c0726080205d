"""Mistakes seen in answers to KeyValueCache."""

import itertools
import operator
import weakref

import torch

only_the_new_words = {"k, v = torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)": "pass"}
"""Each call gives back the new words only. The first call is right.

Append two words and then one more. How many keys should the second call give?

Every call should give back all keys and values so far.
"""

newest_first = {
    "torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)": """
        torch.cat([k, self.k], dim=-2), torch.cat([v, self.v], dim=-2)
    """
}
"""The new words come first in the result. The first call is right.

Append a word of ones and then a word of twos, and print the keys.

The oldest word should come first.
"""

joined_along_the_last_axis = {
    "torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)": """
        torch.cat([self.k, k], dim=-1), torch.cat([self.v, v], dim=-1)
    """
}
"""The words are joined along the last axis, so each gets wider. The first call is right.

Print the shape after the second call. Which axis has grown?

The axis of words, the last but one, should grow.
"""

joined_along_the_heads = {
    "torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)": """
        torch.cat([self.k, k], dim=-3), torch.cat([self.v, v], dim=-3)
    """
}
"""The words are joined along the axis of heads, so there are more heads after each call. The first call is right.

Print the shape after the second call. Which axis has grown?

The axis of words, the last but one, should grow.
"""

joined_along_the_first_axis = {
    "torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)": """
        torch.cat([self.k, k], dim=0), torch.cat([self.v, v], dim=0)
    """
}
"""The words are joined along the first axis, so the batch grows, or the heads. The first call is right.

Print the shape after the second call. Which axis has grown?

The axis of words, the last but one, should grow.
"""

counted_from_the_front = {
    "torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)": """
        torch.cat([self.k, k], dim=1), torch.cat([self.v, v], dim=1)
    """
}
"""The words are joined along axis 1, counted from the front. For a single sentence these are the words; in a batch they
are the heads.

Append tensors of shape (2, 4, 1, 8) twice, and print the shape.

The axis of words, the last but one, should grow, whatever stands in front.
"""

counted_from_the_front_with_one_batch_axis = {
    "torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)": """
        torch.cat([self.k, k], dim=2), torch.cat([self.v, v], dim=2)
    """
}
"""The words are joined along axis 2, counted from the front. With exactly one batch axis that is right, with none or
two it is not.

Append tensors of shape (4, 1, 8) twice, and print the shape.

The axis of words, the last but one, should grow, whatever stands in front.
"""

stacked = {
    "torch.cat([self.k, k], dim=-2), torch.cat([self.v, v], dim=-2)": """
        torch.stack([self.k, k], dim=-2), torch.stack([self.v, v], dim=-2)
    """
}
"""Old and new are put along a new axis, as `stack` does, so there is one axis more, or an error. The first call is
right.

Print the shape after the second call.

The number of axes should stay; the axis of words grows.
"""

only_the_last_two_portions = {
    "if self.k is not None:": "new_k, new_v = k, v\nif self.k is not None:",
    "self.k, self.v = k, v": "self.k, self.v = new_k, new_v",
}
"""Only the newest portion is kept, so the third call has lost the first. The first two calls are right.

Append a word three times, and print the shape each time.

Every call should give back all keys and values so far.
"""

returned_before_appending = {
    "if self.k is not None:": """
        old = (k[..., :0, :], v[..., :0, :]) if self.k is None else (self.k, self.v)
        if self.k is not None:
    """,
    "return k, v": "return old",
}
"""What comes back was there before this call, without the new words.

A word attends to itself, too: how many keys should the first call give for two words?

The new words should be part of what comes back.
"""

first_portion_not_kept = {
    "if self.k is not None:": """
        if self.k is None:
            self.k, self.v = k[..., :0, :], v[..., :0, :]
            return k, v
        if self.k is not None:
    """
}
"""The first portion comes back but is not kept, so the second call does not know of it.

Append two words and then one more. How many keys does the second call give?

What the first call gets should be stored, too.
"""

keys_and_values_swapped = {"return k, v": "return v, k"}
"""The two results come in the opposite order, first the values and then the keys.

Append keys of ones and values of twos, and print the first result.

The keys should come first, the values second.
"""

keys_in_place_of_values = {"if self.k is not None:": "v = k\nif self.k is not None:"}
"""The keys come back twice, and the values are lost. Where both are equally wide, the shapes are right.

Append keys of ones and values of twos, and print the second result.

The second result should hold the values.
"""

_ALIVE, _COUNT = weakref.WeakSet(), itertools.count()


class shared_by_all_caches:
    """All caches keep their words in one place, so one text reads the words of another. With a single cache nothing
    shows.

    Make two caches, and append to both. A list in the class body, or as a default argument: how often is it made?

    Each cache should keep its own words.
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
"""Lists of all portions come back, not joined. Nothing is lost.

Print the type of the first result after two calls.

One tensor of keys and one of values should come back.
"""

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
"""A late call makes many times the numbers that it returns, as when it joins all portions again, one after the other.
The results are right.

How many numbers does the hundredth call copy? What does the call before it already have?

A call should join what was joined before with what is new, and nothing else.
"""

cut_off_from_gradients = {"if self.k is not None:": "k, v = k.detach(), v.detach()\nif self.k is not None:"}
"""No gradient reaches what was appended, as after `detach`.

Append tensors that ask for gradients, and print `requires_grad` of the results.

Gradients should flow back to everything that was appended.
"""

last_word_of_each_portion = {"if self.k is not None:": "k, v = k[..., -1:, :], v[..., -1:, :]\nif self.k is not None:"}
"""Of each portion only the last word is kept. With one word for each call it is right.

Append three words at once, and print the shape.

A portion may have many words, as a prompt has: all should be kept.
"""
