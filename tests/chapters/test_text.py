"""Text from learners and teachers is shown without control codes."""

import json
import random
import time

import pytest

from autograder.chapters.text import clean
from autograder.judging.verdict.finding import Explanation, Kind
from autograder.judging.verdict.verdict import ExerciseVerdict, TestVerdict

ODD = "a\x1b[31mb\x07\x9b\u202ec\ud800\udcff\u2028"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, ä, Ж, 漢, 👩 and\nlines", "plain, ä, Ж, 漢, 👩 and\nlines"),
        ("a\x1b[31mb\x07\x9b", "a\ufffd[31mb\ufffd\ufffd"),
        ("a\u202eb\u2028c\ud800", "a\ufffdb\ufffdc\ufffd"),
        ("a\u00a0b\u202fc\td", "a b c    d"),
        ("so\u00adft ze\u200bro \ufeff", "soft zero "),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
    ],
)
def test_control_codes_are_shown_as_text(text, shown):
    assert clean(text) == shown == clean(shown)


def test_every_character_becomes_printable_in_little_time():
    rng = random.Random(3)
    text = "".join(chr(rng.randrange(0x110000)) for _ in range(100_000))
    start = time.process_time()
    assert all(sign.isprintable() or sign == "\n" for sign in clean(text))
    assert time.process_time() - start < 2
    clean(text).encode()  # No surrogate is left, so the text can be encoded as UTF-8.


def test_a_verdict_contains_only_printable_characters():
    test = TestVerdict("t", "wrong", 0, 8, f"has {ODD}", ODD, reason=ODD)
    explained = Explanation(Kind.OBSERVATION, f"The parameter {ODD} is too many.")
    verdict = ExerciseVerdict("one_query", "softmax", [test], explanation=explained)
    texts = [verdict.message, test.message, *(text for _, text in verdict.texts)]
    texts += [*_texts(json.loads(json.dumps(verdict.to_record())))]
    assert len(texts) > 10 and all(sign.isprintable() or sign == "\n" for text in texts for sign in text)


def _texts(found):
    if isinstance(found, str):
        yield found
    elif isinstance(found, list | dict):
        for part in found.values() if isinstance(found, dict) else found:
            yield from _texts(part)
