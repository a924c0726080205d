"""What a picture shows beside what it should: ticks between the squares, ticks for other things than tokens."""

from autograder.judging.observe.comparison import Comparison
from autograder.worker.values import Described

NEAR = 0.02  # of the width of a square

Ticks = list[tuple[float, str]]


def labels_beside_squares(comparison: Comparison) -> str:
    """Where the labels of Axes stand, and what they are, where the squares are as expected."""
    values = comparison.call.value, comparison.right.value
    described = [value.parts for value in values if isinstance(value, Described) and value.kind == "axes"]
    if len(described) < len(values):
        return ""
    got, expected = described
    counts = [[len(parts["drawn"][letter]) for letter in "yx"] if parts["drawn"] else [] for parts in (got, expected)]
    if counts[0] != counts[1]:
        is_turned = counts[0] == counts[1][::-1]
        return "Rows and columns are exchanged: each query has a row, and each key a column." if is_turned else ""
    for letter, things in (("y", "rows"), ("x", "columns")):
        ticks, wanted = got[f"{letter}_ticks"], expected[f"{letter}_ticks"]
        if ticks and wanted and (sentence := _of_ticks(ticks, wanted, sorted(got["drawn"][letter]), things)):
            return sentence
    return ""


def _of_ticks(ticks: Ticks, wanted: Ticks, centres: list[float], things: str) -> str:
    texts, expected = [text for _, text in ticks], [text for _, text in wanted]
    if all(map(_is_number, texts)) and not all(map(_is_number, expected)):
        return f"The labels of the {things} are numbers, as an axis has them of its own: {', '.join(texts[:3])}."
    if texts != texts[::-1] == expected:
        return f"The labels of the {things} stand in reverse order."
    if len(ticks) != len(centres):
        what = "each needs a tick of its own" if len(ticks) < len(centres) else "one for each is enough"
        labels = "is 1 label" if len(ticks) == 1 else f"are {len(ticks)} labels"
        return f"There {labels} for {len(centres)} {things}: {what}."
    beside = [(at - centre) * len(centres) for (at, _), centre in zip(ticks, centres, strict=True)]
    if max(beside) - min(beside) < NEAR and abs(abs(beside[0]) - 0.5) < NEAR:
        return f"Each label of the {things} stands at an edge of its square, half a square beside the centre."
    return ""


def _is_number(text: str) -> bool:
    try:
        return float(text.replace("\N{MINUS SIGN}", "-")) is not None
    except ValueError:
        return False
