# expect: tokenize wrong digits_deleted


def tokenize(sentence):
    return "".join(filter(lambda sign: sign.isalpha() or sign.isspace(), sentence)).split()
