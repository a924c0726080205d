# expect: tokenize wrong
import re


def tokenize(sentence):
    return set(re.sub(r"[^\w\s]", "", sentence).split())
