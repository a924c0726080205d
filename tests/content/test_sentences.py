"""The texts of a misconception say what the mistake does, where it goes unnoticed, what to try, and the rule."""

import re

import pytest

from autograder.judging.misconceptions import read_kinds, read_misconceptions
from support.grading import EXERCISES

# The first part says what happens and the second what to try, so no sentence of the first begins with an imperative.
IMPERATIVES = (
    "add|append|apply|ask|build|call|change|check|compare|compute|concatenate|count|create|cut|divide|do|double|draw|"
    "embed|exponentiate|feed|fill|find|follow|generate|give|hide|ignore|join|keep|leave|let|load|look|make|mask|measure|"
    "merge|mix|move|multiply|"
    "normalise|pass|plot|print|project|put|raise|read|remove|rename|repeat|replace|reshape|return|reverse|rotate|"
    "round|run|say|scale|set|shift|shuffle|sort|split|stack|start|stop|subtract|sum|swap|take|test|tokenize|train|"
    "transpose|try|turn|use|walk|work|write"
)
ORDER = re.compile(rf"(?:^|[.?] +)(?:{IMPERATIVES})\b", re.IGNORECASE)
TRY = re.compile(rf"(?:^|[.:,;?] +)(?:{IMPERATIVES})\b", re.IGNORECASE)
# The third part is the rule that correct answers follow.
RULE = re.compile(r"\b(should|ought to)\b", re.IGNORECASE)


def find_problems(mistake):
    results = [f"the first part says what should hold: {match[0]}" for match in RULE.finditer(mistake.sentence)]
    results += [f"the first part gives an order: {match[0]}" for match in ORDER.finditer(mistake.sentence)]
    if re.search(r"\byour?\b", mistake.sentence, re.IGNORECASE):
        results.append("the first part is also read by those who only predict, and by teachers: it cannot say `you`")
    if not mistake.sentence_alone or mistake.sentence_alone[-1] != ".":
        results.append("nothing is said of what is wrong, in whole sentences")
    if len(mistake.sentence) > 200:
        results.append(f"the first part has {len(mistake.sentence)} characters")
    if not (mistake.hint.endswith("?") or TRY.search(mistake.hint)):
        results.append("the second part is neither something to try nor a question")
    if not re.search(r"\b(should|must)\b", mistake.rule):
        results.append("the third part does not say what should hold")
    return results


def test_every_kind_has_three_parts():
    assert {each.name: results for each in read_kinds().values() if (results := find_problems(each))} == {}


@pytest.mark.parametrize("name", EXERCISES)
def test_every_mistake_has_three_parts(name):
    mistakes = read_misconceptions(name).values()
    assert {each.name: results for each in mistakes if (results := find_problems(each))} == {}


def test_no_hint_contains_a_formula():
    """A terminal would show a formula's markup."""
    assert not [name for name, exercise in EXERCISES.items() if "$" in "".join(exercise.hints)]
