"""Asked in one message or step by step, judged or remembered: an answer gets the same verdict."""

import pytest

from autograder.boundary import session as session_module
from autograder.chapters.answers import script_answer
from autograder.judging.ask import caller as caller_module
from autograder.worker.wire import HEADER, WireError, encode, split
from support.grading import grade_answers

pytestmark = pytest.mark.slow

RIGHT = "e = np.exp(np.asarray(x) - np.max(x, -1, keepdims=True))\n    return e / e.sum(-1, keepdims=True)"
LATE = "    calls.append(x)\n    if len(calls) % 5 == 4: {}\n    " + RIGHT
FORGED = "    os.write(3, {})\n    " + RIGHT
BODIES = {
    "right": f"    {RIGHT}",
    "wrong": "    return np.asarray(x) / np.sum(x)",
    "wrong for some": f"    if len(x) > 3: return x\n    {RIGHT}",
    "raising": "    raise ValueError('no')",
    "raising for some": f"    if len(x) > 3: raise KeyError(len(x))\n    {RIGHT}",
    "drawing at random": "    return np.random.random(len(x)) + random.random()",
    "to do": "    raise NotImplementedError",
    "hanging": "    while True: pass",
    "hanging once": LATE.format("while True: pass"),
    "ending itself once": LATE.format("os._exit(3)"),
    "out of memory": "    return np.ones(10**12)",
    "too large": "    return ['x' * 99_000] * 60",
    "large": "    return np.zeros(10**6)",
    "forging a reply": FORGED.format(repr(encode({"value": [1.0], "ref": 0}))),
    "forging a short script": FORGED.format(repr(HEADER.pack(0, 8) + HEADER.pack(0, 0))),
    "forging a large one": FORGED.format(repr(HEADER.pack(0, 1 << 30))),
}


def answer(body, name="answer.py"):
    source = f"import os\nimport random\nimport numpy as np\ncalls = []\n\ndef softmax(x):\n{body}\n"
    return script_answer(name, source)


@pytest.fixture(scope="module")
def verdicts():
    """Three verdicts on each body: asked step by step, asked in one message, and remembered where it may be."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(caller_module, "CALL_SECONDS", 1.0)
        bodies = [answer(body) for body in BODIES.values()]
        patch.setattr(session_module.Session, "play", lambda self, script: None)
        stepwise = grade_answers(bodies, only=("softmax",))
        patch.undo()
        patch.setattr(caller_module, "CALL_SECONDS", 1.0)
        others = grade_answers([bodies[0], *bodies, *bodies], only=("softmax",))[1:]
    found = zip(stepwise, others[: len(bodies)], others[len(bodies) :], strict=True)
    return dict(zip(BODIES, found, strict=True))


@pytest.mark.parametrize("name", BODIES)
def test_the_verdict_is_the_same_however_it_is_asked(verdicts, name):
    first, *others = [verdict["softmax"].record() | {"seconds": 0} for verdict in verdicts[name]]
    assert others == [first, first]


def test_what_is_remembered_names_the_file_at_hand():
    body = BODIES["raising for some"]
    names = ["a.py", "a.py", "b.py", "b.py"]
    found = grade_answers([answer(body, name) for name in names], only=("softmax",))
    assert all(f"({name}, line" in verdict["softmax"].message for name, verdict in zip(names, found, strict=True))
    assert ["b.py" in verdict["softmax"].message for verdict in found] == [False, False, True, True]


@pytest.mark.parametrize("junk", [b"\0", HEADER.pack(1, 0), HEADER.pack(0, 0) + HEADER.pack(2, 2) + b"abc"])
def test_messages_without_an_end_are_refused(junk):
    with pytest.raises(WireError):
        split(junk)


def test_messages_that_follow_each_other_are_told_apart():
    messages = [encode(1), encode([2.0, "three"]), encode(None)]
    assert split(b"".join(messages)) == messages


def test_a_cell_that_failed_is_told_where_its_name_is_missing():
    """And only there: another answer gets the same replies, and has no such cell."""
    softmax = "def softmax(scores):\n    return np.exp(scores)\n"
    texts = ["import nump as np\n", "import math\n", "import nump as np\n"]
    answers = [script_answer(f"{i}.py", f"{text}\n# %%\n{softmax}") for i, text in enumerate(texts)]
    first, second, third = (each["softmax"] for each in grade_answers(answers, only=["softmax"]))
    for verdict in (first, third):
        assert "Another cell raised ModuleNotFoundError: No module named 'nump'" in verdict.message
    assert "name 'np' is not defined" in second.message
    assert "Another cell" not in second.message
