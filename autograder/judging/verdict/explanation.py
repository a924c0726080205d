"""What a learner is told about why an answer is wrong."""

from dataclasses import dataclass
from enum import Enum, IntEnum

from autograder.judging.verdict.change import Change

EXPLAINS_SOME = " This explains "  # begins what is added to a mistake that explains some of the failing calls


class Kind(str, Enum):
    """What an explanation rests on."""

    MISTAKE = "mistake"  # a known mistake, made again, comes to the same
    ERROR = "error"  # the failed test, or the error in it, says what it means
    OBSERVATION = "observation"  # what the results have to do with the expected ones
    SLIP = "slip"  # in the text: what is hardly ever meant
    LEAKED_STATE = "leaked state"
    DEPENDENCY = "dependency"  # another exercise that this one calls
    LINE = "line"  # nothing but the line is known


class Cost(IntEnum):
    """What an explainer needs, from what is at hand to what takes longest."""

    REPLIES = 1  # what came back, and nothing else: the same replies have the same explanation
    ANSWER = 2  # the answer's text, and another process of it
    SOLUTIONS = 3  # the answer among solutions, when nothing else will be asked of it
    SEARCH = 4  # hundreds of edits of the answer


@dataclass(frozen=True)
class Explanation:
    """One explanation of all that is wrong with an answer to one exercise."""

    kind: Kind
    sentence: str  # the first thing to tell
    hint: str = ""  # what to try
    rule: str = ""  # what should hold
    name: str = ""  # of the known mistake
    dependencies: tuple[str, ...] = ()  # the exercises whose solutions make this one right
    change: Change | None = None  # one small change of the answer that makes every test pass
    test: str = ""  # the name of the test that shows it; empty for the first that failed
