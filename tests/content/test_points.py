"""Correct parts count: one slip leaves most of the points, and hopeless answers get almost none.

`SLIPS` are answers to which an examiner gave points. The points of the suites may differ from these by two, or by three
if an exercise has more than ten points.
"""

import pytest

from autograder.chapters import curriculum
from support.grading import EXERCISES, edit_solutions, verdict_on, write_answer
from support.quick import pick_quick

PLAIN = "scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])\nreturn torch.softmax(scores, dim=-1) @ v\n"
SOFTMAX = "torch.softmax(self.Ws(hidden).squeeze(-1), dim=-1)"
MERGED = "return self.Wo(merge_heads(weights @ v)), weights"

# Slip -> (exercise, edits of its solution, the examiner's points).
SLIPS = {
    "only Wo forgotten": ("MultiHeadAttention", {MERGED: "return merge_heads(weights @ v), weights"}, 15),
    "queries and zeros": ("MultiHeadAttention", {MERGED: "return queries, torch.zeros_like(weights)"}, 3),
    "scaled by the whole width": ("attention_backward", {"1 / math.sqrt(q.shape[-1])": "1 / q.shape[-1]"}, 10),
    "plain table": ("online_softmax_attention", {"q = q / math.sqrt(q.shape[-1])": f"{PLAIN}q = q"}, 6),
    "results swapped": (
        "attend",
        {
            "return calculate_attention_vector(apply_attention_scores(weights, annotations)), weights": (
                "return weights, calculate_attention_vector(apply_attention_scores(weights, annotations))"
            )
        },
        4,
    ),
    "weights normalised again": (
        "apply_attention_scores",
        {"return np.asarray(attention_weights, dtype=float)": "return attention_weights / np.sum(attention_weights)"},
        4,
    ),
    "queries before keys": ("attention_scores", {"return ": "return np.swapaxes(", "-1, -2)": "-1, -2), -1, -2)"}, 3),
    "not scaled": ("scaled_dot_product_attention", {" / np.sqrt(np.shape(key)[-1])": ""}, 11),
    "scaled by the width of the values": ("scaled_dot_product_attention", {"np.shape(key)": "np.shape(value)"}, 6),
    "heads not swapped with tokens": ("split_heads", {"return parts.transpose(-3, -2)": "return parts"}, 4),
    "an epsilon of 1e-3": ("softmax", {"exponentials.sum()": "(exponentials.sum() + 1e-3)"}, 5),
    "one batch axis": ("additive_scores", {"unsqueeze(-2)": "unsqueeze(2)", "unsqueeze(-3)": "unsqueeze(1)"}, 4),
    "uniform weights": ("AdditiveAttention", {SOFTMAX: f"torch.softmax(0 * {SOFTMAX[14:]}"}, 2),
    "one head in all places": (
        "ConcatMultiHeadAttention",
        {"nn.ModuleList(Head(d_in, d_k) for _ in range(num_heads))": "nn.ModuleList([Head(d_in, d_k)] * num_heads)"},
        7,
    ),
    "another max_norm": ("train_step", {"model.parameters(), max_norm)": "model.parameters(), 1.0)"}, 6),
    "temperature after softmax": (
        "sample",
        {"torch.softmax(logits / temperature, dim=-1)": "torch.softmax(logits, dim=-1) / temperature"},
        5,
    ),
    "mask of the token read": ("next_token_loss", {"mask[:, 1:]": "mask[:, :-1]"}, 4),
    "window to both sides": ("sliding_window_mask", {"(back >= 0) & (back < window)": "back.abs() < window"}, 2),
    "groups of heads that lie apart": (
        "GroupedQueryAttention",
        {"x.repeat_interleave(self.group, dim=-3) for x": "x.repeat(*[1] * (x.ndim - 3), self.group, 1, 1) for x"},
        9,
    ),
    "hidden scores near 0": (
        "DotProductAttention",
        {"torch.finfo(scores.dtype).min": "1e-9", ".masked_fill(~mask, 0.0)": ".mul(mask.any(dim=-1, keepdim=True))"},
        7,
    ),
    "keys made of the values": ("TrainableAttention", {"self.Wk(keys)": "self.Wk(values)"}, 3),
    "the loss summed over the words": (
        "Translator",
        {"targets.flatten())": "targets.flatten()) * targets.shape[1]"},
        8,
    ),
    "scaled by the width of what is mixed": ("cross_attention", {"keys.shape[-1]": "values.shape[-1]"}, 3),
    "sentences rolled": ("shift_right", {"targets[..., :-1]": "targets.roll(1, dims=0)[..., 1:]"}, 1.5),
    "second products subtracted": ("rotate", {"first * sin + second * cos": "first * sin - second * cos"}, 2),
    "1e-9 for -1e9": ("SelfAttentionBlock", {"-math.inf": "1e-9"}, 10),
    "each word once": ("embed_sentence", {"in tokenize(sentence)": "in dict.fromkeys(tokenize(sentence))"}, 6),
    "the picture on its side": (
        "plot_attention",
        {
            "list(key_tokens)": "list(query_tokens)",
            '"yticklabels": list(query_tokens)': '"yticklabels": list(key_tokens)',
            "np.asarray(attn_matrix)": "np.transpose(attn_matrix)",
            'xlabel="keys", ylabel="queries"': 'xlabel="queries", ylabel="keys"',
        },
        5,
    ),
    "absolute cosines": ("rank_by_similarity", {"sentences @ query / ": "(sentences @ query).abs() / "}, 3),
    "another form of letters": (
        "tokenize",
        {"sentence).split()": "__import__('unicodedata').normalize('NFKC', sentence)).split()"},
        3,
    ),
}
# Exercise -> wrong bodies to which a suite might give points.
NONE_RIGHT = {
    "single_dot_attention_score": ["return dec_hidden_state[0] * enc_hidden_state[0]"],
    "normalize_by_sum": ["return np.exp(scores) / np.exp(scores).sum()", "return scores"],
    "calculate_attention_vector": ["return np.max(annotations, axis=1)", "return np.array(annotations)[:, 0]"],
    "causal_mask": ["return np.ones((n, n), bool)"],
    "padding_mask": ["return np.ones((len(lengths), 1, max_length), bool)"],
    "tokenize": ["return sentence.split(' ')", "return [sentence]"],
    "sinusoidal_positions": ["return torch.ones(n, d) / 2**0.5"],
    "sliding_window_mask": ["return torch.ones(n, n).tril().bool()", "return torch.eye(n).bool()"],
    "next_token_loss": ["return logits.mean()", "return logits.sum() * 0"],
    "sample": ["return logits[..., 0].long()", "return logits.argmin(dim=-1)"],
    "train_step": ["return next_token_loss(model(tokens), tokens).item()", "return 0.0"],
    "train": ["return [0.0] * steps", "return [next_token_loss(model(tokens), tokens).item() for tokens in batches]"],
    "linear_attention": ["return values, (values.mT @ values, values.sum(-2))"],
    "online_softmax_attention": [
        "return 0 * q[..., :1] + v.mean(-2, keepdim=True)",
        "return 0 * q[..., :1] + v[..., :1, :]",
    ],
    "rotate": ["return x + 0", "return x * (1 + positions[:, None])"],
    "softmax": ["return np.abs(scores) / np.abs(scores).sum()"],
    "attend": ["n = len(annotations[0])\n    return np.mean(annotations, axis=1), np.ones(n) / n"],
    "simple_self_attention": ["n = len(inputs)\n    return np.full((n, n), 1 / n) @ inputs, np.full((n, n), 1 / n)"],
    "attention_scores": ["return np.zeros((*np.shape(queries)[:-1], np.shape(keys)[-2]))"],
    "merge_heads": ["return x[..., 0, :, :]"],
    "rank_by_similarity": [
        "cosines = torch.cosine_similarity(query[None], sentences)\n    return torch.arange(len(cosines)), cosines"
    ],
    "softmax_backward": ["return grad", "return 0 * grad", "return grad - grad.mean(-1, keepdim=True)"],
    "shift_right": ["return targets", "return targets * 0 + start"],
    "block_state": ["return dict(checkpoint)"],
}
# Exercise -> (a parameter or module, the name that an answer gives it); nothing else is wrong.
RENAMED = {
    "SelfAttention": ("wq", "W_query"),
    "TrainableAttention": ("Wk", "keys"),
    "AdditiveAttention": ("Ws", "score"),
    "ConcatMultiHeadAttention": ("out", "Wo"),
    "MultiHeadAttention": ("Wv", "value_layer"),
    "GroupedQueryAttention": ("Wo", "out"),
    "TransformerBlock": ("up", "widen"),
    "LlamaBlock": ("gate", "widen"),
    "SelfAttentionBlock": ("attention", "self_attention"),
}
HOPELESS = "queries and zeros", "uniform weights"
MANY = 10  # points; above this, a difference of three from the examiner's is allowed instead of two
MAX_SHARE = 0.15  # share of the points that a hopeless answer may get


@pytest.mark.parametrize("slip", pick_quick(SLIPS.values(), 3), ids=SLIPS)
def test_a_small_slip_keeps_most_points(slip):
    name, edits, examiner = slip
    verdict = verdict_on(edit_solutions({name: edits}), name)
    assert verdict.outcome in ("wrong", "raised")
    assert abs(verdict.points - examiner) <= (3 if verdict.max_points > MANY else 2), verdict.to_record()
    if slip in (SLIPS[each] for each in HOPELESS):
        assert verdict.points < MAX_SHARE * verdict.max_points


@pytest.mark.parametrize("name", pick_quick(RENAMED))
def test_another_name_costs_the_same_everywhere(name):
    old, new = RENAMED[name]
    exercise = EXERCISES[name]
    source = curriculum.solution_of(exercise.chapter).read_text(encoding="utf-8")
    source = source.replace(exercise.source, exercise.solution.replace(f"self.{old}", f"self.{new}"))
    verdict = verdict_on(source, name)
    assert 0.6 <= verdict.points / verdict.max_points <= 0.85, verdict.to_record()


@pytest.mark.parametrize("name", pick_quick(NONE_RIGHT))
def test_hopeless_answers_get_almost_no_points(name):
    for body in NONE_RIGHT[name]:
        verdict = verdict_on(write_answer(name, body), name)
        assert verdict.points < MAX_SHARE * verdict.max_points, (body, verdict.to_record())
