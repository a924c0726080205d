"""Banned functions are found however they are imported; what an exercise cannot reach, or wrote itself, is fine."""

import textwrap

import pytest

from autograder.chapters.answers import notebook_answer, script_answer
from autograder.chapters.chapter import Exercise
from autograder.worker.reading import shortcuts
from autograder.worker.reading.shortcuts import find_shortcut

BANS = ("MultiheadAttention", "scaled_dot_product_attention")
EXERCISE = Exercise("attend", "qkv", 1, "", "", (), BANS)

FORBIDDEN = {
    "full path": """
        import torch
        def attend(q, k, v):
            return torch.nn.functional.scaled_dot_product_attention(q, k, v)
    """,
    "module alias": """
        import torch.nn.functional as F
        def attend(q, k, v):
            return F.scaled_dot_product_attention(q, k, v)
    """,
    "function alias": """
        from torch.nn.functional import scaled_dot_product_attention as sdpa
        def attend(q, k, v):
            return sdpa(q, k, v)
    """,
    "own name": """
        from torch.nn.functional import scaled_dot_product_attention
        attend = scaled_dot_product_attention
    """,
    "star": """
        from torch.nn.functional import *
        def attend(q, k, v):
            return scaled_dot_product_attention(q, k, v)
    """,
    "alias of an alias": """
        import torch
        N = torch.nn
        G = N.functional
        def attend(q, k, v):
            return G.scaled_dot_product_attention(q, k, v)
    """,
    "imported inside": """
        def attend(q, k, v):
            from torch import nn
            layer = nn.MultiheadAttention(4, 1)
            return layer(q, k, v)
    """,
    "inherited": """
        from torch import nn
        class attend(nn.MultiheadAttention):
            pass
    """,
    "through a helper": """
        import torch.nn.functional as F
        def mix(*things):
            return F.scaled_dot_product_attention(*things)
        def attend(q, k, v):
            return mix(q, k, v)
    """,
    "through a helper class": """
        from torch import nn
        class Inner(nn.Module):
            def __init__(self):
                self.layer = nn.TransformerEncoderLayer(4, 1)
        class attend(nn.Module):
            def __init__(self):
                self.inner = Inner()
    """,
    "getattr": """
        from torch import nn
        def attend(q, k, v):
            return getattr(nn, "MultiheadAttention")(4, 1)(q, k, v)
    """,
    "getattr in pieces": """
        from torch import nn
        def attend(q, k, v):
            return getattr(nn, "Multihead" + "Attention")(4, 1)(q, k, v)
    """,
    "import_module": """
        import importlib
        def attend(q, k, v):
            return importlib.import_module("torch.nn").MultiheadAttention(4, 1)(q, k, v)
    """,
    "__import__": """
        def attend(q, k, v):
            return __import__("torch").nn.functional.scaled_dot_product_attention(q, k, v)
    """,
    "under torch": """
        import torch
        def attend(q, k, v):
            return torch._C._nn._scaled_dot_product_attention_math(q, k, v)
    """,
    "operators": """
        import torch
        def attend(q, k, v):
            return torch.ops.aten.scaled_dot_product_attention(q, k, v)
    """,
    "behind a parameter": """
        from torch import nn
        def attend(q, k, v, library=nn):
            return library.MultiheadAttention(4, 1)(q, k, v)
    """,
    "patched afterwards": """
        import torch.nn.functional as F
        class attend:
            pass
        setattr(attend, "forward", F.scaled_dot_product_attention)
    """,
    "assigned afterwards": """
        import torch.nn.functional as F
        class attend:
            pass
        attend.forward = F.scaled_dot_product_attention
    """,
}

FINE = {
    "own function of that name": """
        import torch
        def scaled_dot_product_attention(q, k, v):
            return torch.softmax(q @ k.mT, -1) @ v
        def attend(q, k, v):
            return scaled_dot_product_attention(q, k, v)
    """,
    "own method of that name": """
        from torch import nn
        class attend(nn.Module):
            def scaled_dot_product_attention(self, q, k, v):
                return q
            def forward(self, q, k, v):
                return self.scaled_dot_product_attention(q, k, v)
    """,
    "comparison in another cell": """
        import torch.nn.functional as F
        def attend(q, k, v):
            return q
        def compare(q, k, v):
            return attend(q, k, v) - F.scaled_dot_product_attention(q, k, v)
    """,
    "comparison at the top level, with names that are local elsewhere": """
        from torch import nn
        layer = nn.MultiheadAttention
        theirs = nn.MultiheadAttention(4, 1)
        output, weights = theirs(1, 2, 3)
        def check():
            mine = nn.functional.scaled_dot_product_attention
        def attend(q, k, v):
            weights = q @ k
            layer = mine = weights @ v
            output = layer + mine
            return output, weights
    """,
    "spoken of": '''
        def attend(q, k, v):
            """Like F.scaled_dot_product_attention, see nn.MultiheadAttention."""
            # scaled_dot_product_attention
            raise ValueError("use MultiheadAttention, or do not")
    ''',
    "spoken of first": '''
        def checked(scores):
            """scaled_dot_product_attention wants these finite."""
            if scores is None:
                raise ValueError("scaled_dot_product_attention: no scores")
            return scores
        def attend(q, k, v):
            seen = {"MultiheadAttention": 0, "scaled": 1}
            seen["MultiheadAttention"] += 1
            assert q is not None, "MultiheadAttention"
            return checked(q, note="TransformerEncoder") + len("MultiheadAttention")
    ''',
    "imported and not used": """
        from torch.nn import MultiheadAttention
        def attend(q, k, v):
            return q
    """,
    "other layers": """
        from torch import nn
        class attend(nn.Module):
            def __init__(self):
                self.layers = nn.ModuleList([nn.Linear(2, 2), nn.Softmax(-1)])
    """,
    "own class of that name": """
        from torch import nn
        class MultiheadAttention(nn.Module):
            pass
        class attend(nn.Module):
            def __init__(self):
                self.inner = MultiheadAttention()
    """,
}


# Ways around working out a gradient: autograd is reached by other names than its own.
AUTOGRAD = Exercise("attend", "backward", 1, "", "", (), ("autograd",))
BY_AUTOGRAD = {
    "grad": """
        import torch
        def attend(q, g):
            q = q.clone().requires_grad_()
            return torch.autograd.grad(q.softmax(-1), q, g)[0]  # attend(
    """,
    "backward": """
        def attend(q, g):
            q = q.clone().requires_grad_()
            q.softmax(-1).backward(g)  # attend(
            return q.grad
    """,
    "backward of tensors": """
        import torch
        def attend(q, g):
            torch.Tensor.backward(q, g)  # attend(
    """,
    "func": """
        from torch.func import grad
        def attend(q, g):
            return grad(lambda q: (q.softmax(-1) * g).sum())(q)  # attend(
    """,
    "func by another name": """
        import torch.func as F
        def attend(q, g):
            return F.vjp(lambda q: q.softmax(-1), q)[1](g)[0]  # attend(
    """,
    "kernel": """
        import torch
        def attend(w, g):
            return torch._softmax_backward_data(g, w, -1, w.dtype)  # attend(
    """,
    "operators": """
        import torch
        def attend(w, g):
            return torch.ops.aten._softmax_backward_data(g, w, -1, w.dtype)  # attend(
    """,
}
BY_HAND = {
    "own layers": """
        class Softmax:
            def backward(self, w, g):
                return w * (g - (w * g).sum(-1, keepdim=True))
        def attend(w, g):
            layer = Softmax()
            print("backward", w.shape)
            names = {"backward": 1}
            if not names["backward"]:
                raise ValueError("backward of a softmax needs its weights")
            return layer.backward(w, g) + Softmax().backward(w, g)
    """,
    "without a graph": """
        import torch
        import torch.nn.functional as F
        @torch.no_grad()
        def attend(q, g):
            w = F.softmax(q, -1)
            return torch.func.vmap(lambda w, g: w * (g - w @ g))(w, g)
    """,
    "compared elsewhere": """
        import torch
        def attend(w, g):
            return w * (g - (w * g).sum(-1, keepdim=True))
        def compare(q, g):
            q.softmax(-1).backward(g)
            return torch.autograd.grad(q, q)
    """,
}


def source_of(text):
    return textwrap.dedent(text).strip()


@pytest.mark.parametrize(
    ("text", "exercise"),
    [pytest.param(text, EXERCISE, id=name) for name, text in FORBIDDEN.items()]
    + [pytest.param(text, AUTOGRAD, id=f"autograd: {name}") for name, text in BY_AUTOGRAD.items()],
)
def test_a_shortcut_is_found(text, exercise):
    found = find_shortcut(script_answer("a.py", source_of(text)), exercise)
    assert found is not None
    lines = source_of(text).splitlines()
    number = int(found.place.removeprefix("line "))
    assert any(word in lines[number - 1] for word in ("ttention", "Transformer", "attend(", "sdpa"))


@pytest.mark.parametrize(
    ("text", "exercise"),
    [pytest.param(text, EXERCISE, id=name) for name, text in FINE.items()]
    + [pytest.param(text, AUTOGRAD, id=f"autograd: {name}") for name, text in BY_HAND.items()],
)
def test_what_is_no_shortcut_is_not_found(text, exercise):
    assert find_shortcut(script_answer("a.py", source_of(text)), exercise) is None


def test_a_notebook_is_read_cell_by_cell():
    sources = ["import torch.nn.functional as F", "%broken(", source_of(FORBIDDEN["module alias"])]
    cells = [{"cell_type": "code", "source": source, "metadata": {}} for source in sources]
    found = find_shortcut(notebook_answer("a.ipynb", {"cells": cells}), EXERCISE)
    assert (found.name, found.place) == ("torch.nn.functional.scaled_dot_product_attention", "cell 3, line 3")


def test_without_a_ban_nothing_is_found():
    exercise = Exercise("attend", "qkv", 1, "", "", ())
    assert find_shortcut(script_answer("a.py", source_of(FORBIDDEN["full path"])), exercise) is None


@pytest.mark.parametrize(
    "line",
    ["b{n} = b{before}.x", "b{n} = torch{long}", "def b{n}(): return b{before}()", "b{n} = b{n} = b{before} + 1"],
)
def test_long_chains_of_names_are_followed_once(line, monkeypatch):
    """Chains of other names once took the third power of their length."""
    steps = {}
    found_path = shortcuts._Source._found_path
    for length in (300, 600):

        def counted(self, node, length=length):
            steps[length] = steps.get(length, 0) + 1
            return found_path(self, node)

        monkeypatch.setattr(shortcuts._Source, "_found_path", counted)
        lines = [line.format(n=n, before=n - 1, long=".a" * 40) for n in range(1, length)]
        text = "\n".join(["import torch", "b0 = torch", *lines, f"def attend(q):\n    return b{length - 1}(q)"])
        assert find_shortcut(script_answer("a.py", text), EXERCISE) is None
    assert steps[600] <= 2.2 * steps[300]
    assert steps[600] < 100 * 600
