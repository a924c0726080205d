"""What a misconception tells: what such code does, where that looks right, what to try, and what should hold."""

import re

import pytest

from autograder.judging.mistakes.misconceptions import Misconception, read_kinds, read_misconceptions
from support.grading import EXERCISES

# An order at the start of a clause is a repair; so is a word that asks for what is not there.
ORDERS = (
    "add|apply|ask|call|change|concatenate|count|cut|divide|do|exponentiate|fill|give|hide|ignore|"
    "join|keep|leave|look|let|make|mask|measure|merge|mix|multiply|normalise|pass|project|put|"
    "raise|read|repeat|replace|return|reverse|rotate|round|scale|set|shift|sort|split|start|stack|"
    "stop|subtract|sum|swap|take|transpose|turn|use|work|write"
)
ORDER = re.compile(rf"(?:^|[.:;] +)(?:{ORDERS})\b", re.IGNORECASE)
REPAIR = re.compile(r"\b(should|must|ought|ha(s|ve) to|needs? to|instead|missing|forgot\w*)\b", re.IGNORECASE)
TO_TRY = (
    "add|append|ask|call|change|compare|count|do|double|draw|embed|feed|fill|follow|give|hide|let|load|look|make|"
    "merge|mix|move|multiply|plot|pass|print|put|read|rename|rotate|run|say|set|shuffle|split|start|swap|take|"
    "test|tokenize|train|try|turn|walk|work|write"
)
TRY = re.compile(rf"^(?:{TO_TRY})\b", re.IGNORECASE)


def wrong_with(mistake):
    """What is wrong with the parts of a mistake."""
    found = [f"the first part asks for a repair: {match[0]}" for match in REPAIR.finditer(mistake.sentence)]
    found += [f"the first part gives an order: {match[0]}" for match in ORDER.finditer(mistake.sentence)]
    if re.search(r"\byour?\b", mistake.sentence, re.IGNORECASE):
        found.append("the first part is also read by those who only predict, and by teachers: it cannot say `you`")
    if not mistake.sentence_alone or mistake.sentence_alone[-1] != ".":
        found.append("nothing is said of what is wrong, in whole sentences")
    if len(mistake.sentence) > 200:
        found.append(f"the first part has {len(mistake.sentence)} characters")
    if not (mistake.hint.endswith("?") or any(TRY.match(each) for each in re.split(r"[.:,;?] ", mistake.hint))):
        found.append("the second part is neither something to try nor a question")
    if "should" not in mistake.rule:
        found.append("the third part does not say what should hold")
    return found


def test_every_kind_tells_in_three_parts():
    assert {each.name: found for each in read_kinds().values() if (found := wrong_with(each))} == {}


@pytest.mark.parametrize("name", EXERCISES)
def test_every_mistake_tells_in_three_parts(name):
    mistakes = read_misconceptions(name).values()
    assert {each.name: found for each in mistakes if (found := wrong_with(each))} == {}


def test_no_hint_holds_a_formula():
    """A terminal would show how it is typed."""
    assert not [name for name, exercise in EXERCISES.items() if "$" in "".join(exercise.hints)]


@pytest.mark.parametrize("sentence", ["It is flat: divide by the root.", "The `return` is missing.", "Use `exp`."])
def test_a_repair_in_the_first_part_is_found(sentence):
    assert wrong_with(
        Misconception("one", "", {}, None, ((False, sentence),), "What comes back?", "It should be shares.")
    )
