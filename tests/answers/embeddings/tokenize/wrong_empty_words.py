# expect: tokenize wrong
# told: The result should not contain ''.
"""Marks are cut out, and what is left of them stays."""

import re


def tokenize(sentence):
    return re.split(r"[^\w']+", sentence)
