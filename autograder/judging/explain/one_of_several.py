"""Tells a known mistake that explains the call that is shown, where something else is wrong in others."""

import numpy as np

from autograder.judging.ask.call import Call
from autograder.judging.ask.evidence import CallPair, Evidence, replay
from autograder.judging.ask.outcomes import is_finite, same_outcome
from autograder.judging.explain.case import Replied
from autograder.judging.mistakes.misconceptions import read_misconceptions
from autograder.judging.observe.across_calls import one_result_for_another, only_changes
from autograder.judging.observe.clause import is_telling
from autograder.judging.observe.comparison import Comparison
from autograder.judging.observe.results import results_under_names
from autograder.judging.run.kit_code import misconception_session
from autograder.judging.values.leaves import arrays_in, texts_in
from autograder.judging.verdict.explanation import Explanation, Kind
from autograder.worker.values import Described

CALLS_LOOKED_AT = 3  # calls in which each mistake is looked at, besides the one that is shown
MIN_NUMBERS = 20  # all different, that have one cause though they are of a single call


def explain_one_of_several(case: Replied) -> Explanation | None:
    """What a mistake does that explains the call that is shown, and most of the others that are wrong."""
    evidence, comparison = case.evidence, Comparison(case.evidence)
    shown, is_harnessed = comparison.call.value, comparison.is_harnessed  # what a harness tells is too little
    is_picture = isinstance(shown, Described) and shown.kind == "axes"
    takes_long = case.exercise.seconds is not None or is_picture  # too long to be done many times
    if takes_long or is_harnessed or not evidence.is_small:
        return None
    with np.errstate(all="ignore"):
        is_observed = any(observer(comparison) for observer in (one_result_for_another, results_under_names))
        sentence = "" if is_observed or only_changes(comparison.call, comparison.right) else _sentence(evidence)
    return Explanation(Kind.OBSERVATION, sentence) if sentence else None


def _sentence(evidence: Evidence) -> str:
    pairs = _looked_at(evidence)
    wrong = [pair for pair in pairs if pair.is_wrong and not pair.by_chance and _tells(pair.call)]
    if evidence.shown not in wrong:
        return ""
    is_unmistakable = any(len(np.unique(array)) >= MIN_NUMBERS for array in arrays_in(evidence.shown.call.value))
    explained = _explained(evidence, pairs, wrong)
    for name in sorted(explained, key=lambda name: -len(explained[name])):
        count = len(explained[name])
        is_likely = 2 * count > len(wrong) if count > 1 else is_unmistakable
        if evidence.shown in explained[name] and is_likely and not _is_right_where_mistake_shows(evidence, name):
            mistake = read_misconceptions(evidence.exercise.name)[name]
            also = f" This explains {count} of {len(wrong)} failing calls; something else is wrong as well."
            return mistake.sentence_alone.partition(". ")[0].rstrip(".") + "." + also * (count < len(wrong))
    return ""


def _looked_at(evidence: Evidence) -> list[CallPair]:
    """The first calls, the one that is shown, and those that this one rests on."""
    shown, of = evidence.pairs.index(evidence.shown), evidence.shown.call.of
    earlier = [at for at, pair in enumerate(evidence.pairs[:shown]) if of and of in (pair.call, pair.call.of)]
    return [evidence.pairs[at] for at in sorted({*range(min(CALLS_LOOKED_AT, len(evidence.pairs))), *earlier, shown})]


def _explained(evidence: Evidence, pairs: list[CallPair], wrong: list[CallPair]) -> dict[str, list[CallPair]]:
    """Name of a mistake -> those of the wrong calls that it comes to."""
    session, names = misconception_session(evidence.exercise)
    explained: dict[str, list[CallPair]] = {}
    for name in names:
        evidence.budget.check()
        if not _passes_despite(evidence, name):
            beside = zip(pairs, replay(name, session, [pair.call for pair in pairs]), strict=True)
            explained[name] = [pair for pair, again in beside if pair in wrong and same_outcome(again, pair.call)]
    return explained


def _is_right_where_mistake_shows(evidence: Evidence, name: str) -> bool:
    """Whether a call is right in which a mistake would show."""
    made = replay(name, misconception_session(evidence.exercise)[0], evidence.calls)
    return any(
        not (pair.is_wrong or pair.by_chance) and not same_outcome(again, pair.right)
        for pair, again in zip(evidence.pairs, made, strict=True)
    )


def _passes_despite(evidence: Evidence, name: str) -> bool:
    """Whether the diagnosis has come to a call that is right, and would not be with this mistake in it."""
    call = evidence.ruled_out.get(name)
    return call is not None and not evidence.pairs[evidence.calls.index(call)].is_wrong


def _tells(call: Call) -> bool:
    """Whether a call came to so many numbers that they are no coincidence: words and errors can have many causes."""
    if call.kind != "call" or call.error or not is_finite(call) or texts_in(list(call.args)):
        return False
    return any(is_telling(array) for array in arrays_in(call.value) if array.dtype.kind in "biuf")
