# expect: tokenize wrong letters_from_a_to_z_and_plain_spaces_only
import re


def tokenize(sentence):
    cleaned = re.sub("[^A-Za-z0-9 ]", "", sentence)
    return [word for word in cleaned.split(" ") if word]
