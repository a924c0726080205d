# expect: tokenize wrong
# plain: 'steak', ''], expected [
"""Marks are cut out, and what is left of them stays."""

import re


def tokenize(sentence):
    return re.split(r"[^\w']+", sentence)
