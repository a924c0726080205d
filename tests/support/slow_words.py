"""The exercises of the chapter embeddings once more, as literally as their texts say them; see `slow_reference`."""

import unicodedata


def tokenize(sentence):
    words, word = [], ""
    for sign in sentence:
        if is_white_space(sign):
            words.append(word)
            word = ""
        elif is_of_a_word(sign):
            word += sign
    return [word for word in [*words, word] if word]


def is_of_a_word(sign):
    """A letter or a digit of any script, or the underscore; neither a combining mark nor an apostrophe."""
    return sign == "_" or unicodedata.category(sign)[0] == "L" or unicodedata.numeric(sign, None) is not None


def is_white_space(sign):
    return unicodedata.category(sign) == "Zs" or unicodedata.bidirectional(sign) in ("WS", "B", "S")


def sentence_embed(sentence, embed_dict):
    words = "".join(" " if is_white_space(sign) else sign for sign in sentence).split(" ")
    return [list(embed_dict[word]) for word in words if word]


def load_glove_embeddings(data):
    """From the bytes of a file that is as it should be."""
    embeddings, d = {}, None
    for line in data.decode("utf-8").split("\n")[:-1]:
        fields = line.split(" ")
        d = len(fields) - 1 if d is None else d
        embeddings[" ".join(fields[: len(fields) - d])] = [float(field) for field in fields[len(fields) - d :]]
    return embeddings


def get_glove_embeddings(vocab, glove_embeddings, embed_dim):
    rows = []
    for word in vocab:
        if word in glove_embeddings:
            rows.append(list(glove_embeddings[word]))
        elif word.lower() in glove_embeddings:
            rows.append(list(glove_embeddings[word.lower()]))
        else:
            rows.append([0.0] * embed_dim)
    return rows


def embed_sentence(sentence, embeddings):
    rows, words = [], []
    for word in tokenize(sentence):
        for spelling in (word, word.lower()):
            if spelling in embeddings:
                rows.append(list(embeddings[spelling]))
                words.append(word)
                break
    return [rows], words
