"""What is right counts: one slip leaves most of the points, and what is hopeless gets next to none.

`SLIPS` are answers to which an examiner gave points after reading them; ours are at most two away.
"""

import pytest

from autograder.chapters import curriculum
from autograder.chapters.chapter import read_chapter
from autograder.judging.mistakes.solution_edits import apply_edits
from support.grading import grade_source

SPLIT = """def split(x):
    return x.view(x.size(0), -1, self.num_heads, x.size(-1) // self.num_heads).transpose(1, 2)

"""
HEADS = {
    f"split_heads(self.W{name[0]}({name}), self.num_heads)": f"split(self.W{name[0]}({name}))"
    for name in ("keys", "values")
}
PLAIN = "scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])\nreturn torch.softmax(scores, dim=-1) @ v\n"
SOFTMAX = "torch.softmax(self.Ws(hidden).squeeze(-1), dim=-1)"
MERGED = "return self.Wo(merge_heads(weights @ v)), weights"

# Chapter, exercise, edits of its solution, the examiner's points.
SLIPS = {
    "only Wo forgotten": ("multi_head", "MultiHeadAttention", {MERGED: "return merge_heads(weights @ v), weights"}, 15),
    "queries and zeros": (
        *("multi_head", "MultiHeadAttention"),
        {MERGED: "return queries, torch.zeros_like(weights)"},
        3,
    ),
    "batch first": (
        *("multi_head", "MultiHeadAttention"),
        {"q = split_heads(self.Wq(queries), self.num_heads)": f"{SPLIT}q = split(self.Wq(queries))", **HEADS},
        14,
    ),
    "weights averaged": (
        *("multi_head", "MultiHeadAttention"),
        {MERGED: "return self.Wo(merge_heads(weights @ v)), weights.mean(dim=-3)"},
        14,
    ),
    "scale missing in grad_k": (
        *("backward", "attention_backward"),
        {"grad_products.transpose(-2, -1) @ q": "grad_products.transpose(-2, -1) @ q / scale"},
        12,
    ),
    "order v, k, q": (
        *("backward", "attention_backward"),
        {
            "return grad_products @ k, grad_products.transpose(-2, -1) @ q, grad_v": (
                "return grad_v, grad_products.transpose(-2, -1) @ q, grad_products @ k"
            )
        },
        12,
    ),
    "output not rescaled": (
        *("efficient", "online_softmax_attention"),
        {"output = correction * output + exponentials": "output = output + exponentials"},
        10,
    ),
    "plain table": (
        *("efficient", "online_softmax_attention"),
        {"q = q / math.sqrt(q.shape[-1])": f"{PLAIN}q = q"},
        6,
    ),
    "no bias": (
        *("qkv", "TrainableAttention"),
        {
            f"self.W{x} = nn.Linear(num_in_features, num_out_features)": (
                f"self.W{x} = nn.Linear(num_in_features, num_out_features, bias=False)"
            )
            for x in "qkv"
        },
        6,
    ),
    "results swapped": (
        *("one_query", "attend"),
        {
            "return calculate_attention_vector(apply_attention_scores(weights, annotations)), weights": (
                "return weights, calculate_attention_vector(apply_attention_scores(weights, annotations))"
            )
        },
        4,
    ),
    "the context alone": (
        *("one_query", "attend"),
        {
            "return calculate_attention_vector(apply_attention_scores(weights, annotations)), weights": (
                "return calculate_attention_vector(apply_attention_scores(weights, annotations))"
            )
        },
        3,
    ),
    "queries before keys": (
        *("all_queries", "attention_scores"),
        {"return ": "return np.swapaxes(", "-1, -2)": "-1, -2), -1, -2)"},
        3,
    ),
    "rows without a key are NaN": (
        *("all_queries", "scaled_dot_product_attention"),
        {
            "hidden = np.finfo(float).min": "hidden = -np.inf",
            "np.where(mask, batched_softmax(np.where(mask, scores, hidden)), 0.0)": (
                "batched_softmax(np.where(mask, scores, hidden))"
            ),
        },
        14,
    ),
    "not scaled": (
        *("all_queries", "scaled_dot_product_attention"),
        {" / np.sqrt(np.shape(key)[-1])": ""},
        11,
    ),
    "heads not swapped with tokens": (
        *("multi_head", "split_heads"),
        {"return parts.transpose(-3, -2)": "return parts"},
        4,
    ),
    "an epsilon of 1e-3": ("one_query", "softmax", {"exponentials.sum()": "(exponentials.sum() + 1e-3)"}, 5),
    "uniform weights": ("additive", "AdditiveAttention", {SOFTMAX: f"torch.softmax(0 * {SOFTMAX[14:]}"}, 2),
    "scores scaled": (
        *("additive", "AdditiveAttention"),
        {SOFTMAX: "torch.softmax(self.Ws(hidden).squeeze(-1) / hidden.shape[-1] ** 0.5, dim=-1)"},
        8,
    ),
    "a mask for each sentence alone": (
        *("multi_head", "MultiHeadAttention"),
        {
            "masked_fill(~mask, hidden), dim=-1).masked_fill(~mask, 0.0)": (
                "masked_fill(~mask[:, None], hidden), dim=-1).masked_fill(~mask[:, None], 0.0)"
            )
        },
        14,
    ),
    "one head in all places": (
        *("multi_head", "ConcatMultiHeadAttention"),
        {"nn.ModuleList(Head(d_in, d_k) for _ in range(num_heads))": "nn.ModuleList([Head(d_in, d_k)] * num_heads)"},
        7,
    ),
    "one matrix under three names": (
        *("multi_head", "ConcatMultiHeadAttention"),
        {
            "self.wq, self.wk, self.wv = (nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in)) for _ in range(3))": (
                "self.wq = self.wk = self.wv = nn.Parameter(torch.randn(d_in, d_k) / math.sqrt(d_in))"
            )
        },
        8,
    ),
    "the tokens counted for the width": (
        "multi_head",
        "split_heads",
        {"if d % num_heads": "if x.shape[-2] % num_heads"},
        5,
    ),
    "one layer for keys and values": (
        *("efficient", "GroupedQueryAttention"),
        {
            "self.Wk, self.Wv = (nn.Linear(d_model, num_kv_heads * self.d_h) for _ in range(2))": (
                "self.Wk = self.Wv = nn.Linear(d_model, num_kv_heads * self.d_h)"
            )
        },
        9,
    ),
    "another base where none is given": ("positions", "rotate", {"base=10000.0": "base=1000.0"}, 11),
}
# Answers that a suite might pay for, with one result each.
NONE_RIGHT = {
    "single_dot_attention_score": ("one_query", ["def single_dot_attention_score(s, a):\n    return s[0] * a[0]"]),
    "normalize_by_sum": (
        "one_query",
        [
            "import numpy as np\ndef normalize_by_sum(s):\n    return np.exp(s) / np.exp(s).sum()",
            "def normalize_by_sum(s):\n    return s",
        ],
    ),
    "calculate_attention_vector": (
        "one_query",
        [
            "import numpy as np\ndef calculate_attention_vector(a):\n    return np.max(a, axis=1)",
            "import numpy as np\ndef calculate_attention_vector(a):\n    return np.array(a)[:, 0]",
        ],
    ),
    "padding_mask": (
        "all_queries",
        ["import numpy as np\ndef padding_mask(lengths, n):\n    return np.ones((len(lengths), 1, n), bool)"],
    ),
    "tokenize": ("embeddings", ["def tokenize(s):\n    return s.split(' ')", "def tokenize(s):\n    return [s]"]),
    "sinusoidal_positions": (
        "positions",
        ["import torch\ndef sinusoidal_positions(n, d):\n    return torch.ones(n, d) / 2**0.5"],
    ),
    "sliding_window_mask": (
        "efficient",
        [
            "import torch\ndef sliding_window_mask(n, window):\n    return torch.ones(n, n).tril().bool()",
            "import torch\ndef sliding_window_mask(n, window):\n    return torch.eye(n).bool()",
        ],
    ),
    "online_softmax_attention": (
        "efficient",
        [
            "def online_softmax_attention(q, k, v, size):\n    return 0 * q[..., :1] + v.mean(-2, keepdim=True)",
            "def online_softmax_attention(q, k, v, size):\n    return 0 * q[..., :1] + v[..., :1, :]",
        ],
    ),
    "rotate": (
        "positions",
        [
            "def rotate(x, positions, base=1e4):\n    return x + 0",
            "def rotate(x, positions, base=1e4):\n    return x * (1 + positions[:, None])",
        ],
    ),
    "softmax": ("one_query", ["import numpy as np\ndef softmax(s):\n    return np.abs(s) / np.abs(s).sum()"]),
    "attend": (
        "one_query",
        ["import numpy as np\ndef attend(s, a):\n    return np.mean(a, axis=1), np.ones(len(a[0])) / len(a[0])"],
    ),
    "simple_self_attention": (
        "all_queries",
        [
            "import numpy as np\ndef simple_self_attention(x):\n    n = len(x)\n"
            "    return np.full((n, n), 1 / n) @ x, np.full((n, n), 1 / n)"
        ],
    ),
    "attention_scores": (
        "all_queries",
        ["import numpy as np\ndef attention_scores(q, k):\n    return np.zeros((*np.shape(q)[:-1], np.shape(k)[-2]))"],
    ),
    "merge_heads": ("multi_head", ["def merge_heads(x):\n    return x[..., 0, :, :]"]),
    "rank_by_similarity": (
        "pretrained",
        [
            "import torch\ndef rank_by_similarity(query, sentences):\n"
            "    cosines = torch.cosine_similarity(query[None], sentences)\n"
            "    return torch.arange(len(cosines)), cosines"
        ],
    ),
    "softmax_backward": (
        "backward",
        [
            "def softmax_backward(weights, grad):\n    return grad",
            "def softmax_backward(weights, grad):\n    return 0 * grad",
            "def softmax_backward(weights, grad):\n    return grad - grad.mean(-1, keepdim=True)",
        ],
    ),
    "shift_right": (
        "translate",
        [
            "def shift_right(targets, start):\n    return targets",
            "def shift_right(targets, start):\n    return targets * 0 + start",
        ],
    ),
    "block_state": ("pretrained", ["def block_state(checkpoint, layer):\n    return dict(checkpoint)"]),
}
HOPELESS = "queries and zeros", "uniform weights"
MAX_SHARE = 0.15  # of the points for what is hopeless


def verdicts_with(chapter, exercise, edits):
    """The verdicts on a chapter's solutions with a slip in one of them."""
    source = curriculum.solution_of(chapter).read_text(encoding="utf-8")
    exercise = read_chapter(chapter).exercise(exercise)
    assert source.count(exercise.source) == 1
    return grade_source(source.replace(exercise.source, apply_edits(exercise.solution, edits)), chapter)


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_leaves_the_points_of_what_is_right(slip):
    *where, edits, examiner = SLIPS[slip]
    verdict = verdicts_with(*where, edits)[where[1]]
    assert verdict.outcome in ("wrong", "raised")
    assert abs(verdict.points - examiner) <= 2, verdict.record()
    if slip in HOPELESS:
        assert verdict.points < MAX_SHARE * verdict.max_points


@pytest.mark.parametrize("exercise", NONE_RIGHT)
def test_what_is_hopeless_gets_next_to_none(exercise):
    """Where there is one result, too, of which a property may be right."""
    chapter, answers = NONE_RIGHT[exercise]
    for source in answers:
        verdict = grade_source(source, chapter, [exercise])[exercise]
        assert verdict.points < MAX_SHARE * verdict.max_points, (source, verdict.record())


def test_what_calls_it_is_carried():
    """One missing transpose costs points where it was made, and not where it is used."""
    *where, edits, _ = SLIPS["heads not swapped with tokens"]
    verdict = verdicts_with(*where, edits)["MultiHeadAttention"]
    assert verdict.carried_from == "split_heads"
    assert verdict.points < verdict.max_points == verdict.carry_forward().points == 20
