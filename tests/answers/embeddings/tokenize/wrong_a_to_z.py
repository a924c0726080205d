# expect: tokenize wrong letters_from_a_to_z_only
import re


def tokenize(sentence):
    return re.sub("[^A-Za-z0-9\\s]+", "", sentence).split()
