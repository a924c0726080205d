"""Script that writes words.npz: 800 words of a real model with 64 numbers each, so that no download is needed.

The table is that of all-MiniLM-L6-v2 (Apache 2.0): 384 numbers for each of 30,522 tokens. The words are those of
`make_small_glove`, those of the lines below, and then the most frequent words of the book `alice.txt`. A singular value
decomposition of their 800 rows keeps the 64 directions that preserve their dot products best. The script needs the
model (`make minilm`). The last digits depend on NumPy's libraries, so a test allows for small differences.
"""

import re
from collections import Counter
from collections.abc import Container
from pathlib import Path

import numpy as np

from given import ALICE, make_small_glove
from given.encoder import load_minilm

COUNT, WIDTH = 800, 64

MORE = """
soda pepsi sugar salt butter beef pork chicken potato kitchen restaurant taste sweet
france paris italy rome germany berlin england london spain madrid japan tokyo russia moscow greece athens egypt cairo
china beijing french italian german english spanish japanese russian greek chinese
monday tuesday wednesday thursday friday saturday sunday spring summer autumn winter
january february march april may june july august september october november december
bank money account loan interest coin dollar cash pay paid price buy sell cheap rich market shop
boat shore lake sea stream swim swam swimming running drive driving drove singing
actor actress husband wife nephew niece hero sir madam waiter waitress male female
happy angry glad fear love hate hope joy laugh cry
query key value attention score weight vector matrix row column sum average translate language model train network
computer program code number fast faster fastest taller tallest smaller smallest old older oldest strong stronger
strongest body arm leg finger nose hair skin blood bone shoulder knee neck hospital medicine sick health pain
truck street bridge city town village country airport flight pilot sailor soldier police judge lawyer
artist painter writer author poet singer dancer film movie theatre stage novel poem newspaper radio television telephone
tiger elephant bear fox rabbit snake frog bee tree flower leaf grass forest
gold silver iron copper wood stone paper cotton north south east west left right up down
mathematics physics chemistry biology history science university football tennis chess game team player win lose
square circle triangle line point rainy sunny cloudy warm cold hot cool ice fire
"""


def wanted_words(vocabulary: Container[str]) -> list[str]:
    """Return the 800 chosen words, all of which are tokens of the model."""
    book = re.sub(r"[^\w\s]", "", ALICE.read_text(encoding="utf-8").lower()).split()
    frequent = [word for word, _ in Counter(book).most_common()]
    words = dict.fromkeys([*make_small_glove.word_vectors(), *MORE.split(), *frequent])
    return [word for word in words if word in vocabulary][:COUNT]


def word_vectors() -> tuple[list[str], np.ndarray]:
    """Return the words and their vectors, shape (COUNT, WIDTH), as float16."""
    weights, tokenizer = load_minilm()
    vocabulary = tokenizer.get_vocab()
    words = wanted_words(vocabulary)
    table = weights["embeddings.word_embeddings.weight"].double().numpy()[[vocabulary[word] for word in words]]
    _, _, directions = np.linalg.svd(table, full_matrices=False)
    signs = np.sign(np.take_along_axis(directions, abs(directions).argmax(axis=1)[:, None], axis=1))
    return words, (table @ (signs * directions)[:WIDTH].T).astype(np.float16)


if __name__ == "__main__":
    words, vectors = word_vectors()
    np.savez_compressed(Path(__file__).with_name("words.npz"), words=np.array(words), vectors=vectors)
