# expect: tokenize wrong
# told: You return a set, which has no order and no duplicates.
import re


def tokenize(sentence):
    return set(re.sub(r"[^\w\s]", "", sentence).split())
