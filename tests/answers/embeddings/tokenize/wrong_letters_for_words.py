# expect: tokenize wrong
# told: The result still holds ' ', ',' and '.'


def tokenize(sentence):
    return list(sentence)
