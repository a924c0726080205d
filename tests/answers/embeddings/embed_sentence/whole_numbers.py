# expect: embed_sentence passed
import re

import numpy as np


def tokenize(sentence):
    return re.sub(r"[^\w\s]", "", sentence).split()


def embed_sentence(sentence, embeddings):
    words = [word for word in tokenize(sentence) if word in embeddings or word.lower() in embeddings]
    rows = [embeddings[word if word in embeddings else word.lower()] for word in words]
    width = len(next(iter(embeddings.values())))
    return np.array(rows).reshape(1, -1, width), words
