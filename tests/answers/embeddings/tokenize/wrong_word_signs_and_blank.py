# expect: tokenize wrong other_white_space_deleted
import re


def tokenize(sentence):
    return re.sub(r"[^\w ]+", "", sentence).split()
