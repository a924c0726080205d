# expect: tokenize wrong
# told: In this call, the result still holds
import re


def tokenize(sentence):
    return re.sub(r"[.,!?]", "", sentence).split()
