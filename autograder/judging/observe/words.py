"""Words beside the expected ones: in another order, in other letters, cut elsewhere, missing, or too many."""

from collections import Counter

from autograder.chapters.text import in_a_row
from autograder.judging.observe.between import shown_pair
from autograder.judging.values.show import show

A_FEW = 5  # words


def of_words(evidence, exercise, parameters, part):
    """What sets lists of words apart, in the call that is shown."""
    shown, right = shown_pair(evidence)
    pairs = [(shown.value, right.value)]
    if all(isinstance(value, tuple) for value in pairs[0]) and len(shown.value) == len(right.value):
        pairs = zip(shown.value, right.value, strict=True)
    return next(
        (_between(*pair) for pair in pairs if all(map(_are_words, pair)) and pair[0] != pair[1]),
        "",
    )


def _are_words(value):
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _between(got, expected):
    if sorted(got) == sorted(expected):
        return "The words are the expected ones, in another order."
    if [word.lower() for word in got] == [word.lower() for word in expected]:
        return "The words are the expected ones but for capital letters."
    if any(got) and [word for word in got if word] == expected:
        return "The words are right, but for empty ones among them."
    if "".join(got) == "".join(expected):
        return "The letters are right, and the words begin and end at other places."
    missing = list((Counter(expected) - Counter(got)).elements())
    extra = list((Counter(got) - Counter(expected)).elements())
    if len(missing) + len(extra) <= A_FEW and not (missing and extra):
        return _word_for_word(missing, extra)
    return _of_letters(got, expected) or _word_for_word(missing, extra)


def _word_for_word(missing, extra):
    if len(missing) + len(extra) > A_FEW:
        return ""
    kinds = ((missing, "missing"), (extra, "too many"))
    told = [
        f"{in_a_row([*map(show, words)])} {'is' if len(words) == 1 else 'are'} {how}" for words, how in kinds if words
    ]
    return f"Word for word: {'; '.join(told)}."


def _of_letters(got, expected):
    """Which characters are still there, or gone, whatever becomes of capital letters."""
    have, wanted = ({letter for word in words for letter in word.lower()} for words in (got, expected))
    is_lower = not any(letter.isupper() for word in got for letter in word)
    told = [
        f"still holds {' '.join(sorted(have - wanted))}" if have - wanted else "",
        f"has lost {' '.join(sorted(wanted - have))}" if wanted - have else "",
        "has lost its capital letters" if is_lower and any(word != word.lower() for word in expected) else "",
        "holds empty words" if "" in got and "" not in expected else "",
    ]
    told = [each for each in told if each]
    return f"The result {in_a_row(told)}." if told else ""
