"""What a picture shows beside what it should: ticks between the squares, ticks for other things than tokens."""

from autograder.judging.observe.between import shown_pair
from autograder.worker.values import Described

NEAR = 0.02  # of the width of a square


def of_pictures(evidence, exercise, parameters, part):
    """Where the labels of Axes stand, and what they are, where the squares are as expected."""
    shown, right = shown_pair(evidence)
    seen = [call.value for call in (shown, right)]
    if not all(isinstance(value, Described) and value.kind == "axes" for value in seen):
        return ""
    got, expected = (value.parts for value in seen)
    for letter, things in (("y", "rows"), ("x", "columns")):
        ticks, wanted = got[f"{letter}_ticks"], expected[f"{letter}_ticks"]
        if sentence := _of_ticks(ticks, wanted, got["drawn"], letter, things):
            return sentence
    return ""


def _of_ticks(ticks, wanted, drawn, letter, things):
    texts = [text for _, text in ticks]
    if not drawn or texts == [text for _, text in wanted] == [] or not wanted:
        return ""
    if not ticks:
        return f"There are no labels along the {letter} axis."
    if all(_is_number(text) for text in texts) and not all(_is_number(text) for _, text in wanted):
        return f"The labels of the {things} are numbers, as an axis has them of its own: {', '.join(texts[:3])}."
    if texts != texts[::-1] == [text for _, text in wanted]:
        return f"The labels of the {things} stand in reverse order."
    if len(ticks) != len(drawn[letter]):
        told = "each needs a tick of its own" if len(ticks) < len(drawn[letter]) else "one for each is enough"
        return f"There are {len(ticks)} labels for {len(drawn[letter])} {things}: {told}."
    square = 1 / len(drawn[letter])
    beside = [(at - centre) / square for (at, _), centre in zip(ticks, sorted(drawn[letter]), strict=True)]
    if max(beside) - min(beside) < NEAR and abs(abs(beside[0]) - 0.5) < NEAR:
        return f"Each label of the {things} stands at an edge of its square, half a square beside the centre."
    return ""


def _is_number(text):
    try:
        return float(text.replace("\N{MINUS SIGN}", "-")) is not None
    except ValueError:
        return False
