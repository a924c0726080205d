# expect: tokenize wrong
# plain: returned a set object:
import re


def tokenize(sentence):
    return set(re.sub(r"[^\w\s]", "", sentence).split())
