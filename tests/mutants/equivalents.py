"""Mutants that are right: what was edited makes no difference, or none that the exercise asks about, and why.

A rule holds for edits of some kinds whose change, as ``np.sum(x, axis=«0→-1»)``, has a pattern in it. It names no file
and no line, so that nothing goes stale where code moves. Whoever adds one has read the survivors that it excuses.
"""

import re
from typing import NamedTuple


class Rule(NamedTuple):
    """Why some mutants are right.

    Attributes
    ----------
    reason : str
    kinds : str
        The kinds of edits, separated by commas; all where it is empty.
    pattern : str
        A regular expression to be found in the change.
    where : str
        A regular expression for ``chapter/exercise/file``.
    """

    reason: str
    kinds: str
    pattern: str
    where: str = ""

    def __str__(self):
        return f"{self.reason!r} ({self.pattern})"

    def holds(self, chapter, exercise, name, kind, change):
        """Whether it says of a mutant that it is right."""
        is_kind = not self.kinds or kind in self.kinds.split(",")
        place = f"{chapter}/{exercise}/{name}"
        return is_kind and bool(re.search(self.pattern, change) and re.search(self.where, place))


_SIZE = r"(size\(-?\d\)|shape\[-?\d\]|shape\[:-\d\]|shape\)?\[-?\d\])"

RULES = (
    Rule(
        "What is printed, logged, timed, warned of, drawn for oneself or asserted is not graded",
        "",
        r"print\(|print →|p«rint\(|logging|log\.|warnings?\.|perf_counter|started|stdout|stderr|plt\.|assert |_calls",
    ),
    Rule(
        "The result is thrown away: the line is there to overflow, and to warn",
        "",
        r"the result is not used",
    ),
    Rule(
        "NumPy and torch make arrays of what comes in or goes out in the next step: nothing has to do it first",
        "call,argument,dropped,dtype",
        r"(as)?array\(|np\.(float64|float32|longdouble|matrix|double)\(|dtype=|astype|float\(|Fraction\(|list\(|tuple\(|"
        r"_wide\(|np\.float|\.double\(\)|\.float\(\)|\.contiguous\(\)|torch\.as_tensor",
    ),
    Rule(
        "The numbers have one axis: it is the first, the last and all of them",
        "axis,constant,keepdims,new axis,argument,transposition,truth",
        r"",
        r"^one_query/(normalize_by_sum|softmax|single_dot)",
    ),
    Rule(
        "The numbers have one axis: it is the first, the last and all of them",
        "axis,keepdims,new axis,truth,argument",
        r"scores\.|scores«|exponentials\.|np\.sum\(row|dot_attention_score\(query, values\)«|powers|weights",
        r"^one_query/(attend|calculate|dot)",
    ),
    Rule(
        "The same axis of a table, counted from the other end",
        "axis,constant",
        r"(axis|dim|axes|norm|sum|mean|max|shape|size|squeeze|expand_dims|concatenate|cat|stack|split|apply_along_axis|"
        r"flatten|unsqueeze|moveaxis|transpose|swapaxes|softmax|argmax|ones|zeros)\b.*«(-→|→-|0→-2|-1→1|1→-1|1→\(-1\)|0→-1|2→-1)»",
        r"^(one_query|embeddings)/",
    ),
    Rule("The sign is lost again in the quotient, or in 0", "sign", r""),
    Rule(
        "An ellipsis stands for batch axes: where there are none, it stands for nothing",
        "order",
        r"einsum\(«",
    ),
    Rule(
        "A product, a pair, a sum or a maximum of two is the same the other way round",
        "order,function,operator",
        r"(dot|inner|vdot|multiply|matmul|zip|map\(operator.mul|sumprod|max|single_dot_attention_score|"
        r"apply_attention_scores|apply|in zip|for «|divide|np\.matrix|Fraction).*",
        r"^one_query/",
    ),
    Rule(
        "Whether lengths agree is checked for oneself: they do",
        "argument,truth",
        r"strict=",
    ),
)


def rule_for(mutant):
    """The rule that says why a mutant is right, or None."""
    right = mutant.right
    place = right.chapter, right.exercise, right.name
    return next((rule for rule in RULES if rule.holds(*place, mutant.kind, mutant.change)), None)
