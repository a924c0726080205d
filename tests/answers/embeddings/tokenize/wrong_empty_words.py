# expect: tokenize wrong
# told: The words are right, but for empty ones among them.
"""Marks are cut out, and what is left of them stays."""

import re


def tokenize(sentence):
    return re.split(r"[^\w']+", sentence)
