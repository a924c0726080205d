"""Search for the known mistake that explains a wrong answer. The answer's calls are repeated with each mistake."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from autograder.judging.ask.call import Call
from autograder.judging.ask.evidence import (
    Evidence,
    have_same_details,
    have_same_outcome,
    have_structural_difference,
    is_finite,
    raises_expected_error,
    replay_calls,
)
from autograder.judging.explain.case import CaseWithReplies
from autograder.judging.misconceptions import read_lesson
from autograder.judging.run.kit_code import open_misconception_session
from autograder.judging.values.same import DIAGNOSIS_RTOL, DIGITS_RTOL, SUITE_RTOL
from autograder.judging.verdict.finding import Explanation, Kind
from autograder.worker.values import Described

# Three counts: calls that agree with the mistake, wrong calls among them, and calls that agree to the last digit.
Score = tuple[int, int, int]
NO_SCORE: Score = (0, 0, 0)


def explain_mistake(case: CaseWithReplies) -> Explanation | None:
    mistake = find_known_mistake(case.evidence)
    mismatches = [test.mismatch for test in case.verdict.tests if test is not case.shown_test and test.mismatch]
    if mistake and any(each.kind == "values" and each.rtol < SUITE_RTOL and each.reason for each in mismatches):
        # Another test fails only in the last digits, which no mistake explains: do not say which results are correct.
        return Explanation(Kind.MISTAKE, *read_lesson(case.exercise.name, mistake.name, False), name=mistake.name)
    return mistake


def find_known_mistake(evidence: Evidence) -> Explanation | None:
    """Return the known mistake that explains a failed answer best, or None if none is convincing.

    A mistake is convincing if it explains the shown call, and at least twice as many wrong results as there are calls
    that contradict it. A difference in shape, type, Booleans, integers or strings rules it out.
    """
    session, names = open_misconception_session(evidence.exercise)
    best, best_score = None, NO_SCORE
    for name in names:
        own_score = score_mistake(evidence, replay_calls(name, session, evidence.calls), best_score)
        if own_score > best_score:
            best, best_score = name, own_score
    if best is None:
        return None
    explains_all = best_score[1] == sum(pair.is_wrong for pair in evidence.pairs)
    return Explanation(Kind.MISTAKE, *read_lesson(evidence.exercise.name, best, explains_all), name=best)


class MistakeVote(Enum):
    """The evidence of one call for or against a known mistake."""

    NEUTRAL = "neutral"
    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    RULES_OUT = "rules out"  # the answer cannot have this mistake, whatever its other calls return


@dataclass(frozen=True)
class _ComparedCall:
    """The same call of the answer (`call`), the solution (`expected`), and the solution with a known mistake."""

    call: Call
    expected: Call
    is_wrong: bool
    is_random: bool
    mistaken: Call
    is_shown: bool
    rtol: float

    @property
    def is_plain(self) -> bool:
        return not (self.call.error or self.mistaken.error)

    def vote(self) -> MistakeVote:
        if self._is_neutral():
            return MistakeVote.NEUTRAL
        is_same = have_same_outcome(self.call, self.mistaken, self.rtol) or self._are_unclear_refusals
        if self.is_random and not (is_same or self.mistaken.error):
            return MistakeVote.NEUTRAL  # The random initial weights differ.
        if is_same:
            return MistakeVote.SUPPORTS
        return MistakeVote.RULES_OUT if self._is_ruled_out() else MistakeVote.CONTRADICTS

    def _is_neutral(self) -> bool:
        """Return whether the call is no evidence, neither for nor against the mistake.

        That is so for an error that the exercise requires, because its message is not prescribed, and for missing
        attributes, because the module may use other names.
        """
        if self.call.kind == "set" and have_same_outcome(self.call, self.mistaken):
            return bool(_list_missing_names(self.call))
        return self._are_refusals and not self._are_unclear_refusals and not have_same_outcome(self.call, self.mistaken)

    @property
    def _are_refusals(self) -> bool:
        return raises_expected_error(self.call, self.expected) and raises_expected_error(self.mistaken, self.expected)

    @property
    def _are_unclear_refusals(self) -> bool:
        """Return whether the shown call's expected error names the same values as the mistake's, or no clear one."""
        if not (self.is_shown and self._are_refusals):
            return False
        messages = [call.error["message"] for call in (self.expected, self.call, self.mistaken) if call.error]
        names = [self.call.to_name.intersection(re.findall(r"\w+", message)) for message in messages[1:]]
        return messages[0] != messages[2] and (names[0] == names[1] or 1 not in map(len, names))

    def _is_ruled_out(self) -> bool:
        """Return whether an answer with the mistake cannot have replied like this.

        That is so if exact results or missing attributes differ, if a call raises in only one of the two modules, or if
        the answer is correct although the mistake returns a wrong result.
        """
        call, mistaken_call = self.call, self.mistaken
        if call.kind == "set" and self.is_plain and _list_missing_names(call) != _list_missing_names(mistaken_call):
            return True
        is_module = call.maker is not None and isinstance(call.maker.value, Described)
        only_one_fails = is_module and call.kind == "call" and bool(call.error) != bool(mistaken_call.error)
        is_right = not self.is_wrong and self.is_plain and call.kind == "call" and call.changed == mistaken_call.changed
        return only_one_fails or have_structural_difference(call, mistaken_call) or is_right


def _list_missing_names(call: Call) -> list[str]:
    problems = call.value if isinstance(call.value, (list, tuple)) else ()
    return [name for name, suggested_name in problems if suggested_name is None]


def score_mistake(evidence: Evidence, mistakes: Iterable[Call], to_beat: Score) -> Score:
    """Return the score of a mistake, which says how well it explains the evidence; `NO_SCORE` if it does not.

    The last digits, error messages and `requires_grad` decide between similar mistakes: filling with -1e-9 instead of 0
    changes only the tenth digit. If all explained results overflowed, these details do not count, and the first mistake
    in the file wins, which is the most general.
    """
    supporting: list[_ComparedCall] = []
    against: list[_ComparedCall] = []
    is_used = False
    left_to_explain, left_to_lose = sum(pair.is_wrong for pair in evidence.pairs), len(evidence.pairs) - to_beat[0]
    for pair, mistaken_call in zip(evidence.pairs, mistakes, strict=True):
        evidence.budget.require_time()
        is_shown = pair.call is evidence.shown.call
        compared = _ComparedCall(*pair, mistaken_call, is_shown, evidence.rtol if is_shown else DIAGNOSIS_RTOL)
        is_used |= compared.is_plain and compared.call.kind == "call" and compared.call.maker is not None
        vote = compared.vote()
        if vote is MistakeVote.RULES_OUT:
            return NO_SCORE
        if vote is MistakeVote.CONTRADICTS:
            against.append(compared)
            left_to_explain -= compared.is_wrong
            if compared.is_shown:
                return NO_SCORE
        elif vote is MistakeVote.SUPPORTS:
            supporting.append(compared)
        if len(against) > min(left_to_explain, left_to_lose):
            return NO_SCORE  # Too many calls contradict the mistake, or an earlier mistake scores higher.
    explained = [compared for compared in supporting if compared.is_wrong]
    # One mistake in a stateful object makes later calls wrong as well, so a contradiction counts once, not twice.
    remembers = any(call.maker is not None and not isinstance(call.maker.value, Described) for call in evidence.calls)
    if not _is_convincing(explained, against, 1 if remembers else 2, is_used):
        return NO_SCORE
    has_digits = any(is_finite(compared.call) for compared in explained)
    pairs = [(compared.call, compared.mistaken) for compared in supporting] if has_digits else []
    digits = sum(have_same_outcome(*pair, DIGITS_RTOL) and have_same_details(*pair) for pair in pairs)
    return len(supporting), len(explained), digits


def _is_convincing(supporting: list[_ComparedCall], opposing: list[_ComparedCall], weight: int, is_used: bool) -> bool:
    """Return whether a mistake explains the shown call and enough others, and not by coincidence."""
    outweighs = len(supporting) >= max(len(opposing), weight * sum(item.is_plain for item in opposing))
    only_errors = all(item.call.error for item in supporting) and any(item.is_wrong for item in opposing)
    only_empty = not is_used and all(_is_empty(item.call) for item in supporting)
    # Many mistakes cause the same NaN, so it proves little.
    only_overflow = opposing and not any(is_finite(item.call) for item in supporting)
    return outweighs and any(each.is_shown for each in supporting) and not (only_errors or only_empty or only_overflow)


def _is_empty(call: Call) -> bool:
    """Return whether a call created a module without parameters: many mistakes do, so it proves little."""
    return isinstance(call.value, Described) and call.value.parts.get("parameters") == {}
