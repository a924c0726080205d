"""What an array that is shown has to do with the expected one, and whether that is a coincidence."""

from collections.abc import Callable, Iterable, Iterator

from autograder.judging.ask.call import Call
from autograder.judging.observe import numbers, places, shapes, weak
from autograder.judging.observe.across_calls import shared_by_wrong_calls
from autograder.judging.observe.clause import Clause, Pair, Rule, Strength, is_telling
from autograder.judging.observe.comparison import Comparison, Part
from autograder.judging.observe.docstring import lengths, returned_axes
from autograder.judging.values.same import same

MAX_ELEMENTS = 200_000  # more would take too long
MAX_CALLS = 8  # other wrong calls that are looked at

Find = Callable[[Pair], list[Clause]]

# The most telling first.
OF_ONE_SHAPE: tuple[Rule, ...] = (
    numbers.one_number,
    numbers.an_argument,
    numbers.inverted,
    places.transposed,
    places.moved,
    numbers.a_function,
    numbers.rounded,
    numbers.dropped,
    numbers.a_factor,
    numbers.a_temperature,
    numbers.sums_of_one,
    places.where_true,
    places.right_in_part,
    numbers.unsigned,
    numbers.equal_rows,
)
OF_OTHER_SHAPES: tuple[Rule, ...] = (
    numbers.an_argument,
    shapes.axes_of_one,
    shapes.turned,
    shapes.a_part,
)
OF_LITTLE: tuple[Rule, ...] = (
    weak.no_numbers,
    numbers.sums_of_zero,
    weak.only_in_part,
    weak.not_hidden,
    weak.ties,
)


def clauses(pair: Pair) -> list[Clause]:
    """All clauses that hold, the most telling first; none that holds of the expected result, too."""
    if not (0 < pair.expected.size < MAX_ELEMENTS and 0 < pair.got.size < MAX_ELEMENTS):
        return []
    if same(pair.got, pair.expected):  # so nearly that a suite alone may see the difference
        return list(numbers.rounded(pair))
    if pair.got.shape != pair.expected.shape:
        return [clause for rule in OF_OTHER_SHAPES for clause in rule(pair)]
    return _of_rules(OF_ONE_SHAPE, pair)


def weak_clauses(pair: Pair) -> list[Clause]:
    """Clauses that hold, too, and say less."""
    is_small = 0 < pair.got.size < MAX_ELEMENTS and pair.got.shape == pair.expected.shape
    return _of_rules(OF_LITTLE, pair) if is_small and not same(pair.got, pair.expected) else []


def _of_rules(rules: Iterable[Rule], pair: Pair) -> list[Clause]:
    """What holds of the result, and not of the expected one as well."""
    holding = [(rule, clause) for rule in rules for clause in rule(pair)]
    right = Pair(pair.expected, pair.expected, pair.arguments)
    vacuous = {clause.key for rule in {rule for rule, _ in holding} for clause in rule(right)}
    return [clause for _, clause in holding if clause.key not in vacuous]


def numbers_of_arrays(comparison: Comparison) -> str:
    return _of_arrays(comparison, clauses)


def little_of_arrays(comparison: Comparison) -> str:
    return _of_arrays(comparison, weak_clauses)


def _of_arrays(comparison: Comparison, find: Find) -> str:
    """One array beside another, on the call that is shown; coincidences aside."""
    sure: list[tuple[Clause, Part, list[set[str]]]] = []
    doubtful: list[tuple[Clause, Part, list[set[str]]]] = []
    for part in comparison.wrong_parts(comparison.call, comparison.right):
        holding = find(Pair(part.got, part.expected, comparison.arguments(comparison.call)))
        if not holding:
            continue
        elsewhere = list(_keys_elsewhere(comparison, part.number, find))
        support = {clause: sum(clause.key in keys for keys in elsewhere) for clause in holding}
        best = max(holding, key=support.__getitem__)  # the first of those that hold most often
        if support[best]:
            sure.append((best, part, elsewhere))
        elif borne_out := _borne_out(holding, part, comparison):
            doubtful.append((borne_out, part, elsewhere))
    if not (sure or doubtful):
        return ""
    clause, part, elsewhere = min(sure or doubtful, key=lambda choice: choice[0].strength is Strength.PLACE)
    if sure or not elsewhere:
        return part.say(clause.text)
    if shared := shared_by_wrong_calls(comparison):
        return shared
    return part.say(clause.text if clause.strength is Strength.PLAIN else f"In this call, {clause.text}")


def _keys_elsewhere(comparison: Comparison, number: int, find: Find) -> Iterator[set[str]]:
    """What holds in other wrong calls of the same one of several results."""
    for call, right, _ in comparison.other_wrong[:MAX_CALLS]:
        for part in comparison.wrong_parts(call, right):
            if part.number == number:
                yield {clause.key for clause in find(Pair(part.got, part.expected, comparison.arguments(call)))}


def _borne_out(holding: list[Clause], part: Part, comparison: Comparison) -> Clause | None:
    """The first clause that one call is enough to bear out."""
    enough = [Strength.STRONG, Strength.PLACE] + [Strength.ALONE] * (not comparison.other_wrong)
    plain = next((clause for clause in holding if clause.strength is Strength.PLAIN), None)
    strong = next((clause for clause in holding if clause.strength in enough), None)
    got = part.got.astype(bool) if part.expected.dtype == bool else part.got
    is_enough = is_telling(part.expected) and (is_telling(got) or (got == got.flat[0]).all())
    return plain or (strong if is_enough else None)


def lengths_of_axes(comparison: Comparison) -> str:
    """The lengths of the axes of a result of another shape, in the letters of the exercise."""
    sentences = _in_letters(comparison, comparison.call, comparison.right)
    for call, right, _ in comparison.other_wrong:
        others = _in_letters(comparison, call, right) if len(sentences) > 1 else {}
        if {*others.values()} == {*sentences.values()}:
            sentences = {text: ndim for text, ndim in sentences.items() if text in others}
    return next(iter(sentences)) if len(sentences) == 1 else ""


def _in_letters(comparison: Comparison, call: Call, right: Call) -> dict[str, int]:
    """All that can be said of the axes of the first result that has another shape -> how many axes it has."""
    letters = lengths(comparison.exercise.stub, comparison.arguments(call))
    for part in comparison.wrong_parts(call, right):
        for wanted in returned_axes(comparison.exercise.stub):
            if phrases := shapes.axes_in_letters(Pair(part.got, part.expected), letters, wanted):
                return {f"Of {part.name or 'the result'}, {words}.": part.got.ndim for words in phrases}
    return {}


def axes_of_one(comparison: Comparison) -> str:
    """A shape that is the expected one but for axes of length 1, whatever the numbers are."""
    for part in comparison.wrong_parts(comparison.call, comparison.right):
        extra = part.got.ndim - part.expected.ndim
        without_ones = [[size for size in array.shape if size != 1] for array in (part.got, part.expected)]
        if extra and without_ones[0] == without_ones[1]:
            axes = shapes.count_axes_of_one(extra)
            return part.say(f"{{it}} has {axes} too many" if extra > 0 else f"{{it}} lacks {axes}")
    return ""
