"""Script that writes glove.small.txt: invented word vectors in GloVe's format, so that the course needs no download.

The vectors are not learned from text. Each topic below has its own direction, and a word is the sum of the directions
of its topics plus a smaller direction that only this word has. All vectors have the same length. So words of one topic
are near each other and other words are not, as the pictures need it; do not conclude anything else from the vectors.
As in most GloVe files, every word is in lower case.
"""

import hashlib
import math
from collections.abc import Sequence
from pathlib import Path

WIDTH = 50
LENGTH = 4.0
OWN = 0.35  # squared length of a word's own direction, compared with 1 for its topics together

NUMBERS = ["one two three four five six seven eight nine", "1 2 3 4 5 6 7 8 9", "first second third fourth fifth"]

TOPICS = [
    # grammatical words
    "the a an la this that",
    "is la are was were be am been",
    "to with from for in on at by of into over",
    "and but or because so if while when",
    "not no never none nothing",
    "i me my mine",
    "you your yours",
    "he him his man boy king father brother son uncle",
    "she her hers woman girl queen mother sister daughter aunt",
    "i you he she it we they me him her us them",
    "my your his her its our their",
    # people
    "teacher student pupil professor man woman boy girl child friend doctor nurse farmer",
    "king queen prince princess crown throne castle palace",
    "mother father sister brother son daughter aunt uncle family child",
    # at school
    "teacher student pupil professor school class lesson exam homework learn learned teach taught study book",
    "read write book letter page story word sentence paper pen",
    "praised praise praises thanked admired encouraged",
    "asked ask asks said told answered question answer",
    "help helped helps helping support assist",
    "improved improve improving improves progress better",
    "praised asked help encouraged learned taught",
    # food and drink
    "drink drinks drank coke cola water tea coffee juice milk wine beer lemonade glass cup thirsty",
    "eat eats ate steak meat bread rice soup cheese apple fish dinner lunch meal plate hungry",
    "apple pear plum lemon orange cherry banana",
    "knife fork spoon plate glass cup bowl table",
    # journeys
    "journey trip travel road path way step steps walk map ticket mountain river traveller",
    "starts start started begin begins began beginning first",
    "ends end ended stop stops stopped last",
    "step steps walk walked run ran go goes went come came",
    "train car bus ship boat bicycle plane wheel",
    # other everyday words
    "cat dog horse cow bird mouse lion fish sheep wolf",
    "red green blue yellow black white brown orange",
    "sun moon star sky rain snow wind cloud storm",
    "day night morning evening week month year hour today tomorrow",
    "house door window room wall roof garden kitchen table",
    "head hand foot eye ear mouth heart face",
    "music song sing sang piano guitar dance drum",
    "good great fine better best",
    "bad poor worse worst sad",
    "big large huge tall great",
    "small little tiny short young",
    # numbers: all of them, then each with its digit
    " ".join(NUMBERS),
    *(" ".join(names) for names in zip(*(line.split() for line in NUMBERS[:2]), strict=True)),
]


def direction(name: str) -> list[float]:
    """Return a vector of length 1 that depends only on the name, and is the same on every platform."""
    values = [byte - 127.5 for byte in hashlib.shake_256(name.encode()).digest(WIDTH)]
    return _scaled(values, 1)


def word_vectors() -> dict[str, list[float]]:
    """Return word -> vector for every word of the table, in the order of the table."""
    topics_of = {}
    for topic in TOPICS:
        for word in dict.fromkeys(topic.split()):
            topics_of.setdefault(word, []).append(direction(topic))
    vectors = {}
    for word, topics in topics_of.items():
        shared = _scaled(_total(topics), 1)
        vectors[word] = _scaled(_total([shared, _scaled(direction(f"word {word}"), math.sqrt(OWN))]), LENGTH)
    return vectors


def small_glove() -> str:
    """Return the text of the file."""
    lines = (f"{word} {' '.join(f'{value:.5f}' for value in vector)}\n" for word, vector in word_vectors().items())
    return "".join(lines)


def _total(vectors: Sequence[Sequence[float]]) -> list[float]:
    # fsum always rounds correctly. The result of the built-in sum depends on the version of Python.
    return [math.fsum(column) for column in zip(*vectors, strict=True)]


def _scaled(vector: Sequence[float], length: float) -> list[float]:
    factor = length / math.sqrt(math.fsum(value * value for value in vector))
    return [factor * value for value in vector]


if __name__ == "__main__":
    Path(__file__).with_name("glove.small.txt").write_text(small_glove(), encoding="utf-8", newline="\n")
