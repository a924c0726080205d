# expect: tokenize wrong letters_digits_and_plain_spaces_only


def tokenize(sentence):
    kept = [sign for sign in sentence if sign.isalnum() or sign == " "]
    return "".join(kept).split()
