# expect: tokenize wrong letters_beyond_ascii_deleted
import re


def tokenize(sentence):
    return re.sub(r"[^\w\s]", "", sentence, flags=re.ASCII).split()
