"""The worker refuses banned functions under every name, and refuses nothing else."""

import textwrap

import numpy as np
import pytest

from autograder.boundary.channel import start_worker
from autograder.chapters.answers import Task
from autograder.chapters.chapter import read_chapter
from autograder.judging.grader import Grader
from autograder.worker.guards import NOT_ALLOWED
from autograder.worker.reading.answers import AnswerFile, CodeCell
from autograder.worker.values import Tensor

BANS = {
    "attend": ("MultiheadAttention", "scaled_dot_product_attention"),
    "slope": ("autograd",),
    "load": ("given",),
    "free": (),
}
TOP = """
    import functools, importlib, operator, threading
    import torch
    from torch import nn
    import torch.nn.functional as F

    def join(*words):
        return "_".join(words)

    SDPA = join("scaled", "dot", "product", "attention")
    MHA = "".join(["Multihead", "Attention"])
    LAYERS = ".".join(["torch", "nn"])
    GRAD = "".join(["gra", "d"])
    AUTO = "".join(["auto", GRAD])
"""
REFUSED = {
    "getattr": "def attend(q): return getattr(F, SDPA)(q, q, q)",
    "before": "f = getattr(F, SDPA)\ndef attend(q): return f(q, q, q)",
    "dictionary": "def attend(q): return F.__dict__[SDPA](q, q, q)",
    "import_module": "def attend(q): return getattr(importlib.import_module(LAYERS), MHA)(4, 1)(q, q, q)",
    "attrgetter": "def attend(q): return operator.attrgetter('nn.functional.' + SDPA)(torch)(q, q, q)",
    "below": "def attend(q): return getattr(torch._C._nn, SDPA)(q, q, q)",
    "operator": "def attend(q): return getattr(torch.ops.aten, SDPA)(q, q, q)",
    "overload": "f = getattr(torch.ops.aten, SDPA).default\ndef attend(q): return f(q, q, q)",
    "layer of before": "layer = getattr(nn, MHA)(4, 1)\ndef attend(q): return layer(q, q, q)[0]",
    "layer in layers": "layers = nn.Sequential(getattr(nn, ''.join(['Trans', 'formerEncoderLayer']))(4, 1))\n"
    "def attend(q): return layers(q)",
    "subclass": "class attend(getattr(nn, MHA)):\n    def __init__(self, q): super().__init__(4, 1)",
    "partial": "def attend(q): return functools.partial(getattr(F, SDPA), q, q)(q)",
    "map": "def attend(q): return list(map(getattr(F, SDPA), [q], [q], [q]))[0]",
    "vmap": "def attend(q): return torch.func.vmap(getattr(F, SDPA))(q, q, q)",
    "exec": "space = {}\nexec('import torch.nn.functional as F\\ndef f(*a): return F.' + SDPA + '(*a)', space)\n"
    "def attend(q): return space['f'](q, q, q)",
    "eval": "def attend(q): return eval('F.scaled_dot_product_attention(q, q, q)')",
    "written in a text": "def attend(q): return vars(nn)['MultiheadAttention'](4, 1)(q, q, q)",
    "caught": "def attend(q):\n    try:\n        return getattr(F, SDPA)(q, q, q)\n"
    "    except Exception:\n        return q",
    "thread": "def attend(q):\n    done = threading.Thread(target=getattr(F, SDPA), args=(q, q, q))\n    done.start()\n"
    "    done.join()\n    return q",
    "star": "from torch.nn.functional import *\ndef attend(q): return scaled_dot_product_attention(q, q, q)",
    "behind a parameter": "def attend(q, library=nn): return library.MultiheadAttention(4, 1)(q, q, q)",
    "TorchScript": "f = torch.jit.CompilationUnit('def f(q):\\n    return torch.ops.aten.' + SDPA + '(q, q, q)\\n').f\n"
    "def attend(q): return f(q)",
    "by a schema's name": "f = torch._C._jit_get_operation('aten::' + SDPA)[0]\ndef attend(q): return f(q, q, q)",
    "kept by an overload": "f = getattr(torch.ops.aten, SDPA).default._op\ndef attend(q): return f(q, q, q)",
    "imported": "import sys\nwith open('helper.py', 'w') as f: f.write('from torch.nn import MultiheadAttention')\n"
    "sys.path.insert(0, '.')\nimport helper\ndef attend(q): return helper.MultiheadAttention(4, 1)(q, q, q)",
    "given, imported": "import sys\nwith open('helper.py', 'w') as file:\n"
    "    file.write('from given.vectors import *\\ndef load(q): return numbered_lines(q)')\n"
    "sys.path.insert(0, '.')\nfrom helper import load",
    "behind a result": "def slope(q): return q.clone().requires_grad_().exp().grad_fn(q)",
    "engine": "def slope(q):\n    q = q.clone().requires_grad_()\n"
    "    return torch._C._ImperativeEngine().run_backward((q.exp(),), (q,), False, False, (q,), True, False)[0]",
    "gradient": "def slope(q):\n    q = q.clone().requires_grad_()\n"
    "    return getattr(getattr(torch, AUTO), GRAD)(q.sum(), q)[0]",
    "back": "def slope(q):\n    q = q.clone().requires_grad_()\n    getattr(q.sum(), ''.join(['back', 'ward']))()\n"
    "    return q.grad",
    "functional gradient": "def slope(q): return getattr(torch.func, GRAD)(lambda q: q.sum())(q)",
    "forward": "def slope(q): return getattr(torch.func, ''.join(['jac', 'fwd']))(lambda q: q.sum())(q)",
    "kernel": "def slope(q): return getattr(torch, join('', 'softmax', 'backward', 'data'))(q, q, -1, q.dtype)",
    "given": "def load(q): return importlib.import_module(''.join(['gi', 'ven.glove'])).load_glove(q)",
    "given before": "f = importlib.import_module(''.join(['gi', 'ven.vectors']))\n"
    "def load(q): return f.numbered_lines(q)",
}
BELOW = (
    "thread",
    "operator",
    "overload",
    "TorchScript",
    "by a schema's name",
    "kept by an overload",
    "given, imported",
)
BELOW += ("behind a result", "engine")  # For all ways in BELOW, the error need not name answer.py.
FINE = {
    "compared before": "x = torch.ones(1, 2, 4)\nbefore = getattr(F, SDPA)(x, x, x), getattr(nn, MHA)(4, 1)(x, x, x)\n"
    "def attend(q): return q",
    "another exercise": "def free(q): return getattr(F, SDPA)(q, q, q)",
    "names that begin so": "from math import *\nclass Parts:\n    jac = 1\ndef slope(q):\n    jacobian = Parts().jac\n"
    "    return q * jacobian",
    "own of that name": "space = {SDPA: lambda q: q, MHA: lambda q: q}\n"
    "def attend(q): return space[SDPA](space[MHA](q))",
    "only looked at": "def attend(q):\n    assert callable(getattr(F, SDPA)) and getattr(F, SDPA).__doc__\n"
    "    assert issubclass(getattr(nn, MHA), nn.Module)\n    return q",
    "all kinds of work": "def attend(q):\n    layer = nn.Linear(4, 4)\n    with torch.no_grad():\n"
    "        x = torch.func.vmap(lambda row: F.softmax(layer(row), -1))(q)\n    nn.LayerNorm(4)(F.dropout(x, 0.1))\n"
    "    return torch.einsum('bij,bkj->bik', x, x)",
    "gradients of what bans no autograd": "def attend(q):\n    q = q.clone().requires_grad_()\n    q.sum().backward()\n"
    "    return q.grad",
    "no gradients": "@torch.no_grad()\ndef slope(q):\n    with torch.inference_mode():\n"
    "        return torch.func.vmap(lambda row: row.softmax(-1))(q.detach()).requires_grad_(False)",
    "drawings": "from given.corpora import one_hot\nfrom given import PROSE\ndef attend(q):\n"
    "    one_hot(['a', 'b'])\n    return q",
}


def asked(text):
    worker = start_worker(("torch",))
    try:
        source = textwrap.dedent(TOP) + "\n" + text
        loaded = worker.ask(["load", [("answer.py", 1, source)], False, BANS], 20)
        assert loaded["errors"] == [None]
        name = next(name for name in BANS if name in loaded["defined"])
        return worker.ask(["call", name, [Tensor(np.ones((1, 2, 4), np.float32))], {}], 20)
    finally:
        worker.close()


@pytest.mark.parametrize("way", REFUSED)
def test_a_banned_function_is_refused_by_any_name(way):
    reply = asked(REFUSED[way])
    assert reply.get("error", {}).get("type") == NOT_ALLOWED, reply
    assert "answer.py" in [place for place, *_ in reply["error"]["where"]] or way in BELOW


def test_the_guard_of_computed_results_cannot_be_removed():
    reply = asked("def slope(q):\n    torch._C._autograd._disable_profiler_legacy()\n    return q")
    assert "leave torch's profiler alone" in reply["error"]["message"]


@pytest.mark.parametrize("way", FINE)
def test_allowed_calls_are_not_refused(way):
    reply = asked(FINE[way])
    assert "error" not in reply, reply["error"]


@pytest.fixture(scope="module")
def verdicts():
    exercise = read_chapter("qkv").get_exercise("DotProductAttention")
    text = f"{exercise.solution}\n\nclass DotProductAttention(nn.Module):\n    def forward(self, q, k, v, mask=None):\n"
    text = f"import torch\nfrom torch import nn\n\n{text}        return getattr(nn.functional, NAME)(q, k, v), None\n"
    cells = [CodeCell("cell 1", 1, "NAME = '_'.join(['scaled', 'dot', 'product', 'attention'])")]
    cells = (*cells, CodeCell("cell 2", 1, text.replace(exercise.solution, "")))
    script = (CodeCell("a.py", 1, f"{cells[0].source}\n{cells[1].source}"),)
    answers = [AnswerFile("a.py", script), AnswerFile("a.py", script), AnswerFile("a.ipynb", cells, True)]
    grader = Grader((exercise,), b"secret")
    tasks = [Task(answer, read_chapter("qkv"), (exercise,)) for answer in answers]
    return [next(grader.grade(task)) for task in tasks]


def test_a_banned_name_computed_at_run_time_is_refused_as_a_written_one(verdicts):
    places = ["line 9", "line 9", "cell 2, line 8"]
    banned = "torch.nn.functional.scaled_dot_product_attention"
    for verdict, place in zip(verdicts, places, strict=True):
        assert (verdict.outcome, verdict.points) == ("forbidden", 0)
        assert verdict.relation == f"`{banned}` does what you are asked to write yourself."
        finding = f"DotProductAttention uses {banned} ({place}), which this exercise does not allow."
        assert verdict.message == f"{verdict.relation} {finding}"
        assert {test.outcome for test in verdict.tests} == {"forbidden"}
