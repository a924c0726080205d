# expect: tokenize wrong a_few_marks_taken_off_the_ends
"""Strips punctuation from the ends only."""


def tokenize(sentence):
    return [w.strip(".,!?;:\"'") for w in sentence.split()]
