# expect: embed_sentence wrong
# told: An array of whole numbers cuts off the fraction of whatever is written into it later.
import re

import numpy as np


def tokenize(sentence):
    return re.sub(r"[^\w\s]", "", sentence).split()


def embed_sentence(sentence, embeddings):
    words = [word for word in tokenize(sentence) if word in embeddings or word.lower() in embeddings]
    rows = [embeddings[word if word in embeddings else word.lower()] for word in words]
    width = len(next(iter(embeddings.values())))
    return np.array(rows).reshape(1, -1, width), words
