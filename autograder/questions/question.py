"""The data of a question."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Question:
    """A question about a number, a shape, or which of several statements is true.

    Attributes
    ----------
    asks : str
        The question.
    because : str
        The reason for the answer, shown after a right answer or with the solution.
    exercise : str
        The exercise that the question is about, if its code names none.
    given : str
        Code that the learner sees. It runs before the expressions.
    right : str
        An expression for the answer: a number, or a tuple, which is a shape.
    misconceptions : tuple of str
        ``exercise.misconception``: the same expression, with this mistake made in the exercise, is a wrong answer.
    slips : dict of str -> str
        Expression for another wrong answer -> reply.
    options : dict of str -> (str, str)
        In place of `right`: a statement -> (expression that is true if the statement is, reply if not).
    """

    asks: str
    because: str
    exercise: str = ""
    given: str = ""
    right: str = ""
    misconceptions: tuple = ()
    slips: dict = field(default_factory=dict)
    options: dict = field(default_factory=dict)
