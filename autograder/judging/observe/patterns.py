"""What sets the calls that are wrong apart from those that are right: "every call with a mask is wrong, all others are
right". Such a sentence holds for the calls that were made, and says so."""

from autograder.judging.observe.features import OF_ARRAYS, features, fewest_axes, sizes

_WEAK = ("an argument", "a batch axis", "more than one batch axis", "a row that may attend to nothing")
FEW = 2  # right calls, and wrong ones, that are no coincidence where numbers are drawn
MANY = 3  # wrong calls that a limit for numbers needs
APART = 1.5  # times as large as in right calls are numbers that are no coincidence


def pattern(bad, good, parameters, way=""):
    """A sentence on what the wrong calls have in common and no right one has, or an empty string.

    Parameters
    ----------
    bad, good : list of autograder.judging.calls.Call
        Of one kind: all of the function, or all of one method.
    parameters : list of str
        Names of the arguments, in order.
    way : str
        Where these are not all wrong calls: what they have in common, to follow "those that".
    """
    if not bad or not good:
        return ""
    least = fewest_axes([*bad, *good], parameters)
    if words := _only_with(bad, good, parameters, least):
        if way:
            return f"Of the calls tried, those that {way} all have {words}, and no right one has."
        return f"Of the calls tried, all with {words} are wrong, and all without are right."
    if not way and (words := _never_without(bad, good, parameters, least)):
        return f"Of the calls tried, all without {words} are right; those that are wrong all have it."
    return ""


def _only_with(bad, good, parameters, least):
    """What all of the first calls have, and none of the others."""
    shared = _shared(bad, parameters, least)
    others = [features(call, parameters, least) for call in good]
    shared = [words for words in shared if len(good) >= FEW or words not in OF_ARRAYS]
    return next((words for words in shared if not any(words in each for each in others)), "") or (
        _beyond(bad, good, parameters)
    )


def _never_without(bad, good, parameters, least):
    others = [features(call, parameters, least) for call in good]
    shared = [words for words in _shared(bad, parameters, least) if words.startswith(_WEAK)]
    return next((words for words in shared if sum(words not in each for each in others) > 1), "")


def _shared(bad, parameters, least):
    first, *rest = [features(call, parameters, least) for call in bad]
    return [words for words in first if all(words in each for each in rest)]


def _beyond(bad, good, parameters):
    """What is larger in all of the first calls than in any of the others."""
    low, high = ([sizes(call, parameters) for call in calls] for calls in (good, bad))
    for words in high[0]:
        if len(good) < FEW or len(bad) < (MANY if words.startswith("numbers") else FEW):
            continue
        most = max((each[words] for each in low if words in each), default=None)
        far = APART * abs(most) if most is not None and words.startswith("numbers") else most
        if most is not None and all(each.get(words, most) > far for each in high):
            return f"{words} {most:.4g}"
    return ""
