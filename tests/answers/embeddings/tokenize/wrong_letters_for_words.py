# expect: tokenize wrong
# told: The result still contains ' ', ',' and '.'.


def tokenize(sentence):
    return list(sentence)
