# expect: tokenize wrong
# told: The result holds no 'ë'.
import re


def tokenize(sentence):
    return re.sub(r"[^\w\s]", "", sentence, flags=re.ASCII).split()
