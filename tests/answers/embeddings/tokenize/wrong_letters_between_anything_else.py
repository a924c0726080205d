# expect: tokenize wrong letters_between_anything_else
import re


def tokenize(sentence):
    return re.findall(r"[a-zA-Z]+", sentence)
