# expect: tokenize wrong sentence_turned_into_a_list


def tokenize(sentence):
    return list(sentence)
