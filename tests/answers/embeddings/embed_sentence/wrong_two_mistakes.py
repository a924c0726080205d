# expect: embed_sentence wrong
# told: 'I' is missing from the returned words.
import re

import numpy as np


def tokenize(sentence):
    return re.sub("[^\\w\\s]", "", sentence).split()


def embed_sentence(sentence, embeddings):
    words = [w for w in tokenize(sentence) if w in embeddings]
    rows = [embeddings[w] for w in words]
    return np.array([rows]), words
