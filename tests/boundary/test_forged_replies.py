"""Forged replies of a worker: an answer shares its process and can send any reply in the right wire format.

A reply of the wrong form ends the worker, and the verdict says so. A reply of the right form is a value, which is
judged like any other. No reply causes an internal error.
"""

import copy

import numpy as np
import pytest

from autograder.boundary import session as session_module
from autograder.boundary.session import AnswerRefused, Session
from autograder.chapters.answers import Task, parse_script
from autograder.chapters.chapter import read_chapter
from autograder.judging.ask.answer import Answer
from autograder.judging.ask.evidence import have_same_outcome
from autograder.judging.values.compare import Mismatch
from autograder.judging.values.show import format_value
from autograder.judging.verdict.verdict import TestVerdict
from autograder.suite.modules import tensor
from autograder.worker.values import Described, Harness, Tensor
from support.grading import catch_finding
from support.wire import send_across

VECTOR, TABLE = tensor([1.0, 2.0, 3.0]), tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


class ForgingWorker:
    """A worker that sends forged replies in the correct wire format."""

    waited = 0.0

    def __init__(self, replies):
        self.replies = replies

    def ask(self, request, seconds, serve=()):
        return send_across(self.replies.pop(0))

    def close(self):
        self.replies.clear()


@pytest.fixture
def forged(monkeypatch):
    def forged(*replies):
        loaded = {"errors": [], "defined": ["Layer"]}
        monkeypatch.setattr(session_module, "start_worker", lambda *given: ForgingWorker([loaded, *replies]))
        session = Session(Task(parse_script("answer.py", ""), read_chapter("qkv"), ()))
        return Answer("Layer", session, seconds=60)

    return forged


def made(**changes):
    return {
        "value": Described("module", {"parameters": {"scale": ((2,), "float32")}, "training": True} | changes),
        "ref": 0,
    }


FLAGS = ("colour_bar", "one_colour", "overlaps", "given", "old", "is_figure")


def drawn(**changes):
    lines = {"values": np.zeros((2, 3)), "y": np.zeros(2), "x": np.zeros(3)}
    empty = dict.fromkeys(("title", "x_label", "y_label", "figures"), "") | {"x_ticks": [], "y_ticks": []}
    empty |= dict.fromkeys(FLAGS, False) | {"colour_bar": True, "given": True, "kept": True}
    return {"value": Described("axes", empty | {"drawn": lines | changes.pop("lines", {})} | changes), "ref": 0}


def test_the_forged_replies_are_taken_where_they_are_right(forged):
    built = forged(made(), {"value": []}, made()).build(weights={"scale": VECTOR})
    built.has_parameters({"scale": (2,)})
    forged(drawn())().shows(lambda axes: axes["drawn"]["values"].shape == (2, 3), "is too small")
    gradients = {"arguments": [VECTOR], "parameters": {"scale": None}}
    assert forged({"value": gradients}).gradients(VECTOR).flows_like(gradients)


ODD = [None, 1, "a", np.zeros(2), (1,), [], {}, (np.zeros(2),), ("a",), {1: 2}, VECTOR, Described("axes", {}), {1, 2}]


def odd_but(*good):
    """Return the values of `ODD` except for those in `good`."""
    known = {(type(value), format_value(value)) for value in good}
    return [each for each in ODD if (type(each), format_value(each)) not in known]


@pytest.mark.parametrize("replies", [
    *[made(parameters=odd) for odd in odd_but({})],
    *[made(parameters={"scale": odd}) for odd in ODD],
    *[made(parameters={"scale": (odd, "float32")}) for odd in odd_but((1,))],
    *[made(parameters={"scale": ((2,), odd)}) for odd in odd_but("a")],
    *[made(parameters={odd: ((2,), "float32")}) for odd in (None, 1, (1,))],
    *[made(training=odd) for odd in ODD],
    made(more=1),
    *[{"value": Described(kind, {"parameters": {}, "training": True})} for kind in ("axes", "", "Module")],
    *[{"value": Described("module", odd)} for odd in ({}, {1: 2})],  # The wire refuses anything but a dict here.
    *[drawn(**{name: odd}) for name in ("title", "x_label") for odd in odd_but("a")],
    *[drawn(x_ticks=odd) for odd in odd_but([])],
    *[drawn(y_ticks=[odd]) for odd in (*ODD, (0.5, 1), (1, "a"), (0.5, "a", 1), [0.5, "a"])],
    *[drawn(**{name: odd}) for name in FLAGS for odd in ODD],
    *[drawn(drawn=odd) for odd in odd_but(None)],
    *[drawn(lines={name: odd}) for name in ("values", "x", "y") for odd in odd_but(np.zeros(2))],
    *[drawn(lines={name: np.zeros(4)}) for name in ("values", "x", "y")],
    drawn(lines={"values": np.zeros((2, 3), int)}),
    drawn(lines={"values": np.zeros((2, 3)), "y": np.zeros((2, 3)), "x": np.float64(0)}),
    drawn(lines={"values": np.zeros((2, 3)), "y": np.array(0.0), "x": np.zeros((2, 3))}),
    drawn(lines={"values": np.zeros((2, 3)).view(np.matrix)}),
    *[{"value": value} for value in ([made()["value"]], (1, {"a": [drawn()["value"]]}))],
    {"value": np.array([None, made()["value"]], dtype=object)},
    *[{"value": 1, "ref": odd} for odd in odd_but(1)],
    *[{"value": 1, "changed": odd} for odd in odd_but([])],
    *[{"value": 1, "changed": [odd]} for odd in (2**900, -1, True)],
    {"value": 1, "ref": 2**900},
    *[{"error": odd} for odd in ODD],
    {"error": {"type": "E", "message": "", "where": [["a", 2**900, "f", "x"]]}},
    {"value": 1, "error": {"type": "E", "message": "", "where": []}},
    {"type": "E"},
    1,
    None,
    [],
])  # fmt: skip
def test_replies_of_the_wrong_form_end_the_worker(forged, replies):
    made = forged(replies)
    with pytest.raises(AnswerRefused) as error_info:
        made()
    assert error_info.value.outcome == "killed"
    assert "channel that belongs to the grader" in error_info.value.finding
    assert made.session.worker is None


@pytest.mark.parametrize(
    "value",
    [
        *odd_but([]),
        [None],
        [("scale",)],
        [("scale", None, None)],
        [("other", None)],
        [(1, None)],
        [["scale", None]],
        *[[("scale", odd)] for odd in odd_but(None, "a", (1,))],
    ],
    ids=format_value,
)
def test_forged_problems_of_setting_weights_are_refused(forged, value):
    with pytest.raises(AnswerRefused) as error_info:
        forged(made(), {"value": value}).build(weights={"scale": VECTOR})
    assert error_info.value.outcome == "killed"


@pytest.mark.parametrize(
    ("found", "words"),
    [(None, "without scale (3,)"), ("\x1b[31mred", "is of type"), ((5, 5), "has shape (5, 5), expected (3,)")],
)
def test_a_forged_problem_is_a_problem(forged, found, words):
    sentence = catch_finding(forged(made(), {"value": [("scale", found)]}).build, weights={"scale": VECTOR})
    assert words in sentence
    assert TestVerdict("set", "wrong", 0, 1, sentence).message.isprintable()


GRADIENTS = {"arguments": [VECTOR], "parameters": {"scale": VECTOR}}


@pytest.mark.parametrize("value", [
    *ODD,
    {"arguments": [VECTOR]},
    GRADIENTS | {"more": 1},
    GRADIENTS | {"arguments": []},
    GRADIENTS | {"arguments": [VECTOR, VECTOR]},
    GRADIENTS | {"arguments": (VECTOR,)},
    *[GRADIENTS | {"arguments": [odd]} for odd in odd_but(None, VECTOR)],
    *[GRADIENTS | {"parameters": odd} for odd in odd_but({})],
    *[GRADIENTS | {"parameters": {"scale": odd}} for odd in odd_but(None, VECTOR)],
    GRADIENTS | {"parameters": {1: VECTOR}},
])  # fmt: skip
def test_forged_gradients_of_the_wrong_form_are_refused(forged, value):
    with pytest.raises(AnswerRefused) as error_info:
        forged({"value": value}).gradients(VECTOR)
    assert error_info.value.outcome == "killed"


@pytest.mark.parametrize(("tells", "value"), [
    *[("calls", odd) for odd in odd_but([])],
    *[("calls", [odd]) for odd in odd_but([])],
    *[("calls", [[odd]]) for odd in odd_but(1)],
    *[("weights", odd) for odd in odd_but([])],
    *[("weights", [odd]) for odd in odd_but(VECTOR)],
    *[("gradients", odd) for odd in odd_but([])],
    *[("gradients", [odd]) for odd in odd_but(None, VECTOR)],
    *[("shares", odd) for odd in (*ODD, np.zeros(3), tensor([0] * 3))],
    ("returned", made()["value"]),
])  # fmt: skip
def test_a_reply_that_a_harness_never_gives_is_refused(forged, tells, value):
    with pytest.raises(AnswerRefused) as error_info:
        forged({"value": value})(Harness("train", "model, optimizer", {"tells": tells}), VECTOR)
    assert error_info.value.outcome == "killed"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (GRADIENTS | {"arguments": [None]}, "gives no gradient for argument 1"),
        (GRADIENTS | {"arguments": [TABLE]}, "shape (2, 3) for the gradient of argument 1, expected shape (3,)"),
        (GRADIENTS | {"parameters": {}}, "gives no gradient for scale"),
        (
            GRADIENTS | {"parameters": {"scale": tensor([True] * 3)}},
            "returned booleans for the gradient of the parameter",
        ),
        (GRADIENTS | {"parameters": {"scale": Tensor(np.array(["<NaT>"] * 0, float))}}, "expected shape (3,)"),
    ],
)
def test_forged_gradients_are_judged(forged, value, words):
    assert words in catch_finding(forged({"value": value}).gradients(VECTOR).flows_like, GRADIENTS)


@pytest.mark.parametrize(
    "again", [{"value": 5}, {"value": None}, drawn(), {"error": {"type": "E", "message": "", "where": []}}]
)
def test_a_module_that_changes_into_something_else_is_reported(forged, again):
    built = forged(made(), again).build()
    assert "has no trained parameter scale" in catch_finding(built.has_parameters, {"scale": (2,)})


@pytest.mark.parametrize("first", [made(), drawn(), {"value": (VECTOR,) * 3}, {"value": {"a": VECTOR}}])
def test_forged_values_are_compared_with_anything(forged, first):
    reply = forged(first)()
    for expected in (VECTOR, VECTOR.array, (VECTOR, TABLE), {"a": 1.0}, ["a"], "a", 1.0, None):
        with pytest.raises(Mismatch):
            reply.equals(expected)
        other = copy.copy(reply.call)
        other.value = expected
        assert have_same_outcome(reply.call, other) is False
        assert have_same_outcome(reply.call, reply.call) is True
