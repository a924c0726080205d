# expect: tokenize wrong
# told: Word for word: '' is too many.
"""Marks are cut out, and what is left of them stays."""

import re


def tokenize(sentence):
    return re.split(r"[^\w']+", sentence)
