"""What several calls show together."""

import math
import re
from dataclasses import replace

import numpy as np

from autograder.judging.ask.call import Call
from autograder.judging.ask.outcomes import is_finite, same_outcome
from autograder.judging.observe.comparison import Comparison, arguments_of, largest_number
from autograder.judging.observe.features import NO_SHORT_FRACTIONS, features, fewest_axes, longest_axis
from autograder.judging.values.leaves import arrays_in

FAR = 10  # times as large numbers are that may overflow where others do not
MIN_PEERS = 3  # calls that tell apart what depends on the arguments from what does not
MIN_RIGHT = 2  # right calls, and wrong ones, that are no coincidence where numbers are drawn
MIN_WRONG = 3  # wrong calls that a default is blamed for

_RETURNS = "return where they should raise"
_WEAK = ("an argument", "a batch axis")


def one_result_for_all(comparison: Comparison) -> str:
    """The example's figures whatever comes in, or a global of the notebook in place of an argument."""
    pairs = [(peer.call, peer.right) for peer in comparison.peers if peer.returned]
    if len(pairs) < MIN_PEERS or any(not same_outcome(call, pairs[0][0]) for call, _ in pairs):
        return ""
    if all(same_outcome(right, pairs[0][1]) for _, right in pairs) or not arrays_in(pairs[0][0].value):
        return ""
    return "The same result comes back whatever is passed in: is it made of the arguments?"


def one_result_for_another(comparison: Comparison) -> str:
    """A figure that is typed in, though other arguments may lead to other figures."""
    shown, right = comparison.call, comparison.right
    is_plain = comparison.returned and is_finite(shown)
    if not is_plain or not any((array * array != abs(array)).any() for array in arrays_in(shown.value)):
        return ""
    for peer in comparison.peers:
        if peer.returned and not same_outcome(peer.right, right) and same_outcome(peer.call, shown):
            return (
                "The same comes back for other arguments, where another result is right: "
                "is it made of them all, or kept from an earlier call?"
            )
    return ""


def wrong_default(comparison: Comparison) -> str:
    """That all wrong calls lack an argument that has a value then, few right ones do, and all with it are right."""
    calls = [(arguments_of(peer.call, comparison.parameters), peer.is_wrong) for peer in comparison.peers]
    signatures = "".join(comparison.exercise.stub.split('"""')[::2])
    for name in {*comparison.parameters} & {*re.findall(r"(\w+)=(?!None)", signatures)}:
        lack = [is_wrong for named, is_wrong in calls if named.get(name) is None]
        have = [is_wrong for named, is_wrong in calls if named.get(name) is not None]
        if len(have) >= MIN_RIGHT and not any(have) and sum(lack) >= MIN_WRONG * max(1, lack.count(False)):
            those = f"those that are wrong all lack an argument {name}, and all with one are right"
            return f"Of the calls tried, {those}: look at its default, and at what is made of it."
    return ""


def nan_of_large_numbers(comparison: Comparison) -> str:
    """That nan comes back just where far larger numbers come in than where it is right."""
    large = [largest_number(peer.call) for peer in comparison.peers if _has_nan(peer.call) and not _has_nan(peer.right)]
    small = [largest_number(peer.call) for peer in comparison.peers if not peer.is_wrong]
    if not _has_nan(comparison.call) or len(small) < MIN_RIGHT or min(large, default=0) < FAR * max(small):
        return ""
    limits = f"right with numbers up to {math.ceil(max(small)):,}, and nan with one beyond {math.floor(min(large)):,}"
    return f"Of the calls tried, it is {limits}: inf / inf, inf - inf and 0 / 0 are nan, and `exp` soon gives inf or 0."


def _has_nan(call: Call) -> bool:
    return not call.error and any(np.isnan(array).any() for array in arrays_in(call.value))


def shared_by_wrong_calls(comparison: Comparison) -> str:
    """What the wrong calls have in common, or those of them that are wrong in the way of the one that is shown."""
    peers, way = comparison.peers, _way(comparison.call, comparison.right)
    good = [peer.call for peer in peers if not peer.is_wrong]
    bad = [peer.call for peer in peers if peer.is_wrong]
    changing = [peer.call for peer in peers if peer.is_wrong and only_changes(peer.call, peer.right)]
    like_this = [call for call, right, _ in peers if call in bad and call not in changing and _way(call, right) == way]
    parameters = comparison.parameters
    sentence = pattern(bad, good, parameters) or pattern(like_this, good + changing, parameters, way)
    if not sentence and good and way == _RETURNS and len(like_this) == sum(comparison.evidence.wrong):
        return "Every result that is asked for is right; only an error that should be raised is missing."
    return sentence


def only_changes(call: Call, right: Call) -> bool:
    """Whether a call came to the right value, and altered what came in."""
    return call.changed != right.changed and same_outcome(replace(call, changed=right.changed), right)


def _way(call: Call, right: Call) -> str:
    """In which way a call is wrong, to follow "those that"."""
    if call.error:
        return "raise"
    return _RETURNS if right.error else "return something wrong"


def pattern(bad: list[Call], good: list[Call], parameters: list[str], way: str = "") -> str:
    """What sets wrong calls apart from right ones: it holds for the calls that were made, and says so.

    All calls are of one kind; `way` is what the bad ones have in common where these are not all that are wrong.
    """
    if not bad or not good:
        return ""
    fewest = fewest_axes([*bad, *good], parameters)
    rest, others = ([features(call, parameters, fewest) for call in calls] for calls in (bad[1:], good))
    shared = [words for words in features(bad[0], parameters, fewest) if all(words in known for known in rest)]
    sure = [words for words in shared if len(good) >= MIN_RIGHT or words != NO_SHORT_FRACTIONS]
    only = (words for words in sure if not any(words in known for known in others))
    if words := next(only, "") or _limit(bad, good, parameters):
        if way:
            return f"Of the calls tried, those that {way} all have {words}, and no right one has."
        return f"Of the calls tried, all with {words} are wrong, and all without are right."
    weak = (words for words in shared if words.startswith(_WEAK) and sum(words not in known for known in others) > 1)
    words = "" if way else next(weak, "")
    return f"Of the calls tried, all without {words} are right; those that are wrong all have it." if words else ""


def _limit(bad: list[Call], good: list[Call], parameters: list[str]) -> str:
    """How long an axis all of the first calls have, and none of the others."""
    low, high = ([longest_axis(call, parameters) for call in calls] for calls in (good, bad))
    is_limit = len(good) >= MIN_RIGHT <= len(bad) and max(low) < min(high)
    return f"an axis longer than {max(low)}" if is_limit else ""
