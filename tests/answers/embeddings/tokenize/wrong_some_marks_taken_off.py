# expect: tokenize wrong
# plain: returned ["«Don't",
import re


def tokenize(sentence):
    return re.sub(r"[.,!?]", "", sentence).split()
