"""What an array that is shown has to do with the expected one, and whether that is a coincidence."""

from autograder.judging.observe import numbers, places
from autograder.judging.observe.across_calls import shared_by_wrong_calls
from autograder.judging.observe.clause import Clause, Pair, Rule, Strength, is_telling
from autograder.judging.observe.comparison import Comparison, Part
from autograder.judging.values.same import same

MAX_ELEMENTS = 200_000  # more would take too long
MAX_OTHER_CALLS = 8  # other wrong calls that are looked at

# The most telling first.
RULES_OF_ONE_SHAPE: tuple[Rule, ...] = (
    numbers.one_number,
    numbers.an_argument,
    places.other_order,
    places.other_places,
    places.unhidden_numbers,
    places.hidden_future,
    places.rows_that_see_nothing,
    numbers.rounding,
    numbers.a_factor,
    numbers.other_scores,
    numbers.sums_of_one,
    places.right_in_part,
)
RULES_OF_OTHER_SHAPES: tuple[Rule, ...] = (numbers.an_argument, places.other_places, places.a_part)
VAGUE_RULES: tuple[Rule, ...] = (places.only_in_part, numbers.equal_rows)
RULES_OF_LENGTHS: tuple[Rule, ...] = (places.another_length,)
_RULES_WHERE_SHAPES_DIFFER = {RULES_OF_ONE_SHAPE: RULES_OF_OTHER_SHAPES, VAGUE_RULES: ()}


def clauses(pair: Pair, rules: tuple[Rule, ...] = RULES_OF_ONE_SHAPE) -> list[Clause]:
    """All clauses that hold, the most telling first; none that holds of the expected result, too."""
    if not (0 < pair.expected.size < MAX_ELEMENTS and 0 < pair.got.size < MAX_ELEMENTS):
        return []
    if pair.got.shape != pair.expected.shape:
        rules = _RULES_WHERE_SHAPES_DIFFER.get(rules, rules)
    elif same(pair.got, pair.expected):  # so nearly that a suite alone may see the difference
        rules = (numbers.rounding,)
    holding = [(rule, clause) for rule in rules for clause in rule(pair)]
    right = Pair(pair.expected, pair.expected, pair.arguments)
    vacuous = {clause.key for rule in {rule for rule, _ in holding} for clause in rule(right)}
    return [clause for _, clause in holding if clause.key not in vacuous]


def arrays_beside_arrays(comparison: Comparison, rules: tuple[Rule, ...] = RULES_OF_ONE_SHAPE) -> str:
    """One array beside another, on the call that is shown; coincidences aside."""
    doubtful: list[tuple[Clause, Part]] = []
    for part in comparison.wrong_parts(comparison.evidence.shown):
        holding = clauses(Pair(part.got, part.expected, comparison.arguments(comparison.call)), rules)
        if not holding:
            continue
        # What holds in other wrong calls of the same one of several results.
        elsewhere = [
            {clause.key for clause in clauses(Pair(other.got, other.expected, comparison.arguments(peer.call)), rules)}
            for peer in comparison.other_wrong[:MAX_OTHER_CALLS]
            for other in comparison.wrong_parts(peer)
            if other.number == part.number
        ]
        support = {clause: sum(clause.key in keys for keys in elsewhere) for clause in holding}
        holding = [clause for clause in holding if not clause.is_of_all or 0 < len(elsewhere) == support[clause]]
        if comparison.call.is_harnessed:  # what was there before a step has the first digits of what should be there
            holding = [clause for clause in holding if clause.text != numbers.FIRST_DIGITS]
        if not holding:
            continue
        best = max(holding, key=support.__getitem__)  # the first of those that hold most often
        # Where most others contradict it, the rest is a coincidence; of few numbers, where one does.
        needed = len(elsewhere) / 2 if is_telling(part.expected) else len(elsewhere)
        if 0 < needed <= support[best]:
            return part.say(_say_where(best, support[best], comparison))
        if borne_out := _first_borne_out(holding, part, not comparison.other_wrong):
            doubtful.append((borne_out, part))
    if not doubtful:
        return ""
    clause, part = doubtful[0]
    pattern = shared_by_wrong_calls(comparison) if comparison.other_wrong else ""
    return pattern or part.say(_say_where(clause, 0, comparison))


def _say_where(clause: Clause, support: int, comparison: Comparison) -> str:
    """The text of a clause, and for how many of the calls that were tried it speaks: of others it says nothing."""
    is_everywhere = support == len(comparison.other_wrong)
    if clause.is_of_all:
        return clause.text
    if not support:
        return f"in this call, {clause.text}"
    if clause.key != clause.text:
        which = "in each wrong call, by its own" if is_everywhere else "here and in others, by their own"
        return f"{which} numbers, {clause.text}"
    return f"in {'every wrong call tried' if is_everywhere else 'this call and others'}, {clause.text}"


def _first_borne_out(holding: list[Clause], part: Part, is_only: bool) -> Clause | None:
    """The first clause that one call is enough to bear out; whether it is the only one that is wrong."""
    plain = next((clause for clause in holding if clause.strength is Strength.PLAIN), None)
    strong = next((clause for clause in holding if is_only or clause.strength is not Strength.WEAK), None)
    got = part.got.astype(bool) if part.expected.dtype == bool else part.got
    is_enough = is_telling(part.expected) and (is_telling(got) or (got == got.flat[0]).all())
    return plain or (strong if is_enough else None)
