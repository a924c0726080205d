# expect: tokenize wrong
# told: The result still holds
import re


def tokenize(sentence):
    return re.sub(r"[.,!?]", "", sentence).split()
