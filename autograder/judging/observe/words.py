"""Words beside the expected ones: in other letters, missing, or too many."""

from collections import Counter

from autograder.chapters.text import in_a_row
from autograder.judging.observe.comparison import Comparison
from autograder.judging.values.show import show

MAX_WORDS = 5  # that are told


def words_beside_words(comparison: Comparison) -> str:
    """What sets lists of words apart, in the call that is shown."""
    got, expected = comparison.call.value, comparison.right.value
    is_tuple = isinstance(got, tuple) and isinstance(expected, tuple) and len(got) == len(expected)
    pairs = zip(got, expected, strict=True) if is_tuple else [(got, expected)]
    return next((_between(*pair) for pair in pairs if all(map(_are_words, pair)) and pair[0] != pair[1]), "")


def _are_words(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _between(got: list[str], expected: list[str]) -> str:
    if [word.lower() for word in got] == [word.lower() for word in expected]:
        return "The words are the expected ones but for capital letters."
    if any(got) and [word for word in got if word] == expected:
        return "The words are right, but for empty ones among them."
    missing = list((Counter(expected) - Counter(got)).elements())
    extra = list((Counter(got) - Counter(expected)).elements())
    if len(missing) + len(extra) <= MAX_WORDS and not (missing and extra):
        return _word_for_word(missing, extra)
    return _of_letters(got, expected) or _word_for_word(missing, extra)


def _word_for_word(missing: list[str], extra: list[str]) -> str:
    if len(missing) + len(extra) > MAX_WORDS:
        return ""
    phrases = [
        f"{in_a_row([*map(show, words)])} {'is' if len(words) == 1 else 'are'} {how}"
        for words, how in ((missing, "missing"), (extra, "too many"))
        if words
    ]
    return f"Word for word: {'; '.join(phrases)}."


def _of_letters(got: list[str], expected: list[str]) -> str:
    """Which characters are still there, or gone, whatever becomes of capital letters."""
    have, wanted = ({letter for word in words for letter in word.lower()} for words in (got, expected))
    found = ("still holds", have - wanted), ("has lost", wanted - have)
    phrases = [f"{verb} {in_a_row([*map(show, sorted(letters))])}" for verb, letters in found if letters]
    return f"The result {in_a_row(phrases)}." if phrases else ""
