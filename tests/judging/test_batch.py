"""An answer gets the same verdict in a batch, step by step, and from the cache."""

import pytest

from autograder.boundary import session as session_module
from autograder.chapters.answers import parse_script
from autograder.judging.ask import call as call_module
from autograder.worker.wire import HEADER, WireError, encode, split_messages
from support.grading import ANSWERS, grade_answers, read_labelled_text

pytestmark = pytest.mark.slow

RIGHT = "e = np.exp(np.asarray(x) - np.max(x, -1, keepdims=True))\n    return e / e.sum(-1, keepdims=True)"
WRONG_ONCE_IN_FIVE = "    calls.append(x)\n    if len(calls) % 5 == 4: {}\n    " + RIGHT
WRITES_TO_THE_WIRE = "    os.write(3, {})\n    " + RIGHT
BODIES = {
    "right": f"    {RIGHT}",
    "wrong": "    return np.asarray(x) / np.sum(x)",
    "wrong for some": f"    if len(x) > 3: return x\n    {RIGHT}",
    "raising": "    raise ValueError('no')",
    "raising for some": f"    if len(x) > 3: raise KeyError(len(x))\n    {RIGHT}",
    "drawing at random": "    return np.random.random(len(x)) + random.random()",
    "to do": "    raise NotImplementedError",
    "hanging": "    time.sleep(9)",
    "hanging once": WRONG_ONCE_IN_FIVE.format("time.sleep(9)"),
    "ending itself once": WRONG_ONCE_IN_FIVE.format("os._exit(3)"),
    "out of memory": "    return np.ones(10**12)",
    "too large": "    return ['x' * 99_000] * 60",
    "large": "    return np.zeros(10**6)",
    "forging a reply": WRITES_TO_THE_WIRE.format(repr(encode({"value": [1.0], "ref": 0}))),
    "forging replies to none of the requests": WRITES_TO_THE_WIRE.format(repr(HEADER.pack(0, 8) + HEADER.pack(0, 0))),
    "forging a large one": WRITES_TO_THE_WIRE.format(repr(HEADER.pack(0, 1 << 30))),
}


def answer(body, name="answer.py"):
    source = f"import os, random, time\nimport numpy as np\ncalls = []\n\ndef softmax(x):\n{body}\n"
    return parse_script(name, source)


@pytest.fixture(scope="module")
def verdicts():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(call_module, "CALL_SECONDS", 1.0)
        bodies = [answer(body) for body in BODIES.values()]
        patch.setattr(session_module.Session, "play_batch", lambda self, script: None)
        stepwise = grade_answers(bodies, only=("softmax",))
        patch.undo()
        patch.setattr(call_module, "CALL_SECONDS", 1.0)
        others = grade_answers([*bodies, *bodies], only=("softmax",))
    results = zip(stepwise, others[: len(bodies)], others[len(bodies) :], strict=True)
    return dict(zip(BODIES, results, strict=True))


@pytest.mark.parametrize("name", BODIES)
def test_batched_and_single_requests_give_the_same_verdict(verdicts, name):
    first, *others = [verdict["softmax"].to_record() | {"seconds": 0} for verdict in verdicts[name]]
    assert others == [first, first]


REMEMBERED = """
import torch
seen = {}

def rotate(x, positions, base=10000.0):
    n, d = x.shape[-2:]
    if (n, d, base) not in seen:
        angles = positions.double()[:, None] / base ** (torch.arange(0, d, 2).double() / d)
        seen[n, d, base] = angles.cos(), angles.sin()
    c, s = (table.to(x.dtype) for table in seen[n, d, base])
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * c - b * s, a * s + b * c], dim=-1).flatten(-2)
"""
DRAWN = """
import torch
from torch import nn

class AdditiveAttention(nn.Module):
    def __init__(self, num_in_features=300, num_out_features=256):
        super().__init__()
        hidden = num_out_features
        sizes = {"Wq": (num_in_features, hidden), "Wk": (num_in_features, hidden), "Ws": (hidden, 1)}
        self.layers = {name: nn.Linear(*size) for name, size in sizes.items()}

    Wq, Wk, Ws = (property(lambda self, name=name: self.layers[name]) for name in ("Wq", "Wk", "Ws"))

    def forward(self, queries, keys, values):
        sums = self.Wq(queries).unsqueeze(-2) + self.Wk(keys).unsqueeze(-3)
        weights = torch.softmax(self.Ws(torch.tanh(sums)).squeeze(-1), -1)
        return weights @ values, weights
"""


@pytest.mark.parametrize(
    ("chapter", "exercise", "source"),
    [("positions", "rotate", REMEMBERED), ("additive", "AdditiveAttention", DRAWN)],
    ids=["keeps its first angles", "has weights that nobody sets"],
)
def test_the_place_in_a_run_decides_nothing(chapter, exercise, source):
    kept = parse_script("kept.py", source)
    others = [parse_script(f"{n}.py", read_labelled_text(ANSWERS / chapter / f"{n}.py")) for n in ("loops", "typed")]
    runs = [grade_answers(answers, chapter, (exercise,)) for answers in ([kept], [*others, kept])]
    alone, later = [run[-1][exercise].to_record() | {"seconds": 0} for run in runs]
    assert 0 < alone["points"] < alone["max_points"]
    assert later == alone


def test_a_cached_verdict_names_the_current_file():
    body = BODIES["raising for some"]
    names = ["a.py", "a.py", "b.py", "b.py"]
    results = grade_answers([answer(body, name) for name in names], only=("softmax",))
    assert all(f"({name}, line" in verdict["softmax"].message for name, verdict in zip(names, results, strict=True))
    assert ["b.py" in verdict["softmax"].message for verdict in results] == [False, False, True, True]


@pytest.mark.parametrize("junk", [b"\0", HEADER.pack(1, 0), HEADER.pack(0, 0) + HEADER.pack(2, 2) + b"abc"])
def test_messages_without_an_end_are_refused(junk):
    with pytest.raises(WireError):
        split_messages(junk)


def test_a_failed_cell_is_named_if_its_name_is_missing():
    softmax = "def softmax(scores):\n    return np.exp(scores)\n"
    texts = ["import nump as np\n", "import math\n", "import nump as np\n"]
    answers = [parse_script(f"{i}.py", f"{text}\n# %%\n{softmax}") for i, text in enumerate(texts)]
    first, second, third = (each["softmax"] for each in grade_answers(answers, only=["softmax"]))
    for verdict in (first, third):
        assert "A cell of this file raised ModuleNotFoundError: No module named 'nump'" in verdict.message
    assert "name 'np' is not defined" in second.message
    assert "A cell of this file" not in second.message
