# expect: tokenize wrong
# told: A set has no order, and holds nothing twice.
import re


def tokenize(sentence):
    return set(re.sub(r"[^\w\s]", "", sentence).split())
