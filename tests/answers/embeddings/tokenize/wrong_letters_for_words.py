# expect: tokenize wrong
# told: In this call, the result still holds ' ', ',' and '.'


def tokenize(sentence):
    return list(sentence)
