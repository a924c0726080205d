"""Search for a known mistake that explains only some of the wrong results."""

import numpy as np

from autograder.judging.ask.call import Call
from autograder.judging.ask.evidence import Evidence, have_same_outcome, is_finite, replay_calls
from autograder.judging.explain.case import CaseWithReplies
from autograder.judging.mistakes.misconceptions import read_misconceptions
from autograder.judging.observe.across_calls import is_only_mutation
from autograder.judging.observe.clause import is_significant
from autograder.judging.observe.comparison import ShownCall
from autograder.judging.observe.results import compare_named_results
from autograder.judging.run.kit_code import open_misconception_session
from autograder.judging.values.leaves import find_arrays, find_texts
from autograder.judging.verdict.finding import EXPLAINS_SOME, Explanation, Kind
from autograder.worker.values import Described

CALLS_LOOKED_AT = 3  # first calls compared with each mistake, in addition to the shown test's calls up to the shown one
MIN_DIFFERENT_NUMBERS = 20  # results with this many different numbers do not agree by coincidence


def explain_some_calls(case: CaseWithReplies) -> Explanation | None:
    """Return a mistake that explains the shown call, and most wrong ones or many different numbers; or None."""
    evidence, shown_call = case.evidence, ShownCall(case.evidence)
    value, is_harnessed = shown_call.call.value, shown_call.call.is_harnessed  # A harness returns too few numbers.
    is_picture = isinstance(value, Described) and value.kind == "axes"
    takes_long = case.exercise.seconds is not None or is_picture  # too long to repeat for each mistake
    if takes_long or is_harnessed or not evidence.is_small or not open_misconception_session(case.exercise)[1]:
        return None
    with np.errstate(all="ignore"):
        if is_only_mutation(shown_call.call, shown_call.expected) or compare_named_results(shown_call):
            return None
        sentence = _MistakeSearch(evidence).find_sentence()
    return Explanation(Kind.OBSERVATION, sentence) if sentence else None


class _MistakeSearch:
    """The known mistakes of an exercise, each compared with a few calls of the answer."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.session, names = open_misconception_session(evidence.exercise)
        # Leave out mistakes that would make a correct call of the answer wrong.
        right_calls = {id(pair.call) for pair in evidence.pairs if not pair.is_wrong}
        self.names = [name for name in names if id(evidence.ruled_out.get(name)) not in right_calls]
        # Compare the first calls, the shown one, and those before it in its test.
        shown_at = evidence.pairs.index(evidence.shown)
        test_starts = [i for i, pair in enumerate(evidence.pairs[: shown_at + 1]) if pair.call.begins_test]
        test_start = max([0, *test_starts])
        places = sorted({*range(min(CALLS_LOOKED_AT, len(evidence.pairs))), *range(test_start, shown_at + 1)})
        self.pairs, self.shown_number = [evidence.pairs[index] for index in places], places.index(shown_at)

    def find_sentence(self) -> str:
        wrong_numbers = [
            number
            for number, pair in enumerate(self.pairs)
            if pair.is_wrong and not pair.is_random and _is_too_telling_for_chance(pair.call)
        ]
        value = self.evidence.shown.call.value
        is_unmistakable = any(len(np.unique(array)) >= MIN_DIFFERENT_NUMBERS for array in find_arrays(value))
        names = self.names if self.shown_number in wrong_numbers else ()
        explained_numbers = {name: self._find_explained(name, wrong_numbers) for name in names}
        for name in sorted(explained_numbers, key=lambda name: -len(explained_numbers[name])):
            count = len(explained_numbers[name])
            is_likely = 2 * count > len(wrong_numbers) if count > 1 else is_unmistakable
            if self.shown_number in explained_numbers[name] and is_likely and not self._is_contradicted(name):
                extent = f"{EXPLAINS_SOME}{count} of the {len(wrong_numbers)} failing calls."
                sentence = read_misconceptions(self.evidence.exercise.name)[name].sentence_alone
                return sentence.partition(". ")[0].rstrip(".") + "." + extent * (count < len(wrong_numbers))
        return ""

    def _find_explained(self, name: str, numbers: list[int]) -> list[int]:
        self.evidence.budget.require_time()
        calls = list(replay_calls(name, self.session, [pair.call for pair in self.pairs]))
        return [number for number in numbers if have_same_outcome(calls[number], self.pairs[number].call)]

    def _is_contradicted(self, name: str) -> bool:
        """Return whether the mistake makes a correct call wrong, or returns another shape than a wrong call."""
        pairs = zip(self.evidence.pairs, replay_calls(name, self.session, self.evidence.calls), strict=True)
        return any(
            type(mistaken_call.value) is type(pair.call.value) and _get_shapes(mistaken_call) != _get_shapes(pair.call)
            if pair.is_wrong
            else not pair.is_random and not have_same_outcome(mistaken_call, pair.expected)
            for pair, mistaken_call in pairs
            if not (pair.is_wrong and (pair.call.error or mistaken_call.error))
        )


def _get_shapes(call: Call) -> list[tuple[int, ...]]:
    return [array.shape for array in find_arrays(call.value)]


def _is_too_telling_for_chance(call: Call) -> bool:
    """Return whether a result has so many numbers that another mistake cannot return the same by coincidence."""
    if call.kind != "call" or call.error or not is_finite(call) or find_texts(list(call.args)):
        return False
    return any(is_significant(array) for array in find_arrays(call.value) if array.dtype.kind in "biuf")
