"""The expected result of every exercise, computed in a different way from its solution: one function for each.

Numbers are float64 tensors, whatever the solution gets. A module's oracle gets the module first, for its weights.
"""

import cmath
import math
import unicodedata
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from support.grading import load_solution

# Attention by torch -------------------------------------------------------------------------------------------


def attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None) -> Tensor:
    """Return torch's attention, with 0 for queries that may attend to no key."""
    if mask is not None:
        mask = mask.broadcast_to(*q.shape[:-1], k.shape[-2])
    output = functional.scaled_dot_product_attention(q, k, v, mask, scale=scale)
    return output if mask is None else output.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)


def attention_weights(q: Tensor, k: Tensor, mask: Tensor | None = None, scale: float | None = None) -> Tensor:
    """Return the weights, which are the attention to an identity matrix of values."""
    return attention(q, k, torch.eye(k.shape[-2], dtype=q.dtype).expand(*k.shape[:-1], -1), mask, scale)


def both(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None) -> tuple:
    return attention(q, k, v, mask, scale), attention_weights(q, k, mask, scale)


def heads_of(x: Tensor, count: int) -> Tensor:
    return torch.stack(x.chunk(count, dim=-1), dim=-3)


def side_by_side(heads: Tensor) -> Tensor:
    return torch.cat(heads.unbind(dim=-3), dim=-1)


def shared_heads(layer: nn.Module, queries: Tensor, keys: Tensor, values: Tensor, mask: Tensor | None = None) -> tuple:
    """Return attention in which all query heads of a group share one head of keys and values."""
    d_h = layer.Wq.out_features // layer.num_heads
    times = layer.Wq.out_features // layer.Wk.out_features
    q = heads_of(layer.Wq(queries), layer.num_heads)
    k, v = (heads_of(x, x.shape[-1] // d_h).repeat_interleave(times, -3) for x in (layer.Wk(keys), layer.Wv(values)))
    output, weights = both(q, k, v, mask)
    return layer.Wo(side_by_side(output)), weights


# one_query: annotations are columns ---------------------------------------------------------------------------

single_dot_attention_score = torch.dot


def dot_attention_score(state: Tensor, annotations: Tensor) -> Tensor:
    return torch.stack([torch.dot(state, column) for column in annotations.unbind(1)])


def normalize_by_sum(scores: Tensor) -> Tensor:
    return scores / math.fsum(scores.tolist())


softmax = partial(torch.softmax, dim=0)


def apply_attention_scores(weights: Tensor, annotations: Tensor) -> Tensor:
    return annotations @ torch.diag(weights)


def calculate_attention_vector(applied: Tensor) -> Tensor:
    return torch.tensor([math.fsum(row) for row in applied.tolist()], dtype=applied.dtype)


def attend(state: Tensor, annotations: Tensor) -> tuple[Tensor, ...]:
    return tuple(rows[0] for rows in both(state[None], annotations.mT, annotations.mT, scale=1.0))


# all_queries --------------------------------------------------------------------------------------------------


def attention_scores(queries: Tensor, keys: Tensor) -> Tensor:
    return torch.einsum("...id,...jd->...ij", queries, keys)


def batched_softmax(x: Tensor, axis: int = -1) -> Tensor:
    return torch.softmax(x, dim=axis)


context_vectors = torch.matmul


def simple_self_attention(inputs: Tensor) -> tuple[Tensor, Tensor]:
    return both(inputs, inputs, inputs, scale=1.0)


def causal_mask(n: int) -> Tensor:
    return torch.tensor([[key <= query for key in range(n)] for query in range(n)])


def padding_mask(lengths: Tensor, max_length: int) -> Tensor:
    return torch.tensor([[[key < length for key in range(max_length)]] for length in lengths.tolist()])


scaled_dot_product_attention = both

# embeddings ---------------------------------------------------------------------------------------------------


def tokenize(sentence: str) -> list[str]:
    """Split a sentence by Unicode categories: words consist of letters, digits and underscores."""
    words = [""]
    for sign in sentence:
        if is_space(sign):
            words.append("")
        elif sign == "_" or unicodedata.category(sign)[0] == "L" or unicodedata.numeric(sign, None) is not None:
            words[-1] += sign
    return [word for word in words if word]


def is_space(sign: str) -> bool:
    return unicodedata.category(sign) == "Zs" or unicodedata.bidirectional(sign) in ("WS", "B", "S")


def sentence_embed(sentence: str, table: dict) -> np.ndarray:
    words = "".join(" " if is_space(sign) else sign for sign in sentence).split(" ")
    return np.array([list(table[word]) for word in words if word], dtype=float)


def load_glove_embeddings(path: str | Path) -> dict[str, np.ndarray]:
    lines = Path(path).read_bytes().decode("utf-8").removesuffix("\n").split("\n")
    width = lines[0].count(" ")
    results = {}
    for line in lines if lines != [""] else ():
        word, *numbers = line.rsplit(" ", width)
        if len(numbers) < max(width, 1):
            raise ValueError
        results[word] = np.array(list(map(float, numbers)), dtype=np.float32)
    return results


def get_glove_embeddings(vocab: list[str], table: dict, width: int) -> np.ndarray:
    rows = [table.get(word, table.get(word.lower(), [0.0] * width)) for word in vocab]
    return np.array([list(row) for row in rows], dtype=np.float32).reshape(len(vocab), width)


def embed_sentence(sentence: str, table: dict) -> tuple[np.ndarray, list[str]]:
    words = [word for word in tokenize(sentence) if {word, word.lower()} & set(table)]
    width = len(next(iter(table.values())))
    return get_glove_embeddings(words, table, width).astype(float)[None], words


def plot_attention(query_tokens: list[str], key_tokens: list[str], matrix: Tensor, ax: object = None) -> dict:
    """Return the expected description of the plot: the matrix, the labels and the tick positions, from the top left."""
    sides = {}
    for side, tokens in (("x", key_tokens), ("y", query_tokens)):
        centres = [(number + 0.5) / len(tokens) for number in range(len(tokens))]
        sides[f"{side}_ticks"] = list(zip(centres, tokens, strict=True))
    return {"values": matrix, "x_label": "keys", "y_label": "queries", "is_where_it_was_told": True, **sides}


# qkv, additive, multi_head ------------------------------------------------------------------------------------


def project_qkv(inp: Tensor, *weights: Tensor) -> tuple[Tensor, ...]:
    return tuple(functional.linear(inp, weight.mT) for weight in weights)


def dot_attention(inp: Tensor, *weights: Tensor) -> tuple[Tensor, Tensor]:
    return both(*project_qkv(inp, *weights))


def DotProductAttention(layer: nn.Module, *inputs: Tensor) -> tuple[Tensor, Tensor]:
    return both(*inputs)


def SelfAttention(layer: nn.Module, inp: Tensor) -> tuple[Tensor, Tensor]:
    return dot_attention(inp, layer.wq, layer.wk, layer.wv)


def TrainableAttention(layer: nn.Module, queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    return both(layer.Wq(queries), layer.Wk(keys), layer.Wv(values))


def additive_scores(queries: Tensor, keys: Tensor, ws: Tensor) -> Tensor:
    """Return the scores, computed for each pair separately."""
    pairs = [[q + k for k in keys.unbind(-2)] for q in queries.unbind(-2)]
    return torch.stack([torch.stack([torch.tanh(pair) @ ws for pair in row], -1) for row in pairs], -2)


def AdditiveAttention(layer: nn.Module, queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    scores = additive_scores(layer.Wq(queries), layer.Wk(keys), layer.Ws.weight[0]) + layer.Ws.bias
    weights = torch.softmax(scores, dim=-1)
    return weights @ values, weights


split_heads, merge_heads = heads_of, side_by_side


def ConcatMultiHeadAttention(layer: nn.Module, inp: Tensor) -> tuple[Tensor, Tensor]:
    outputs, weights = zip(*(SelfAttention(head, inp) for head in layer.heads), strict=True)
    return functional.linear(torch.cat(outputs, dim=-1), layer.out.mT), torch.stack(weights, dim=-3)


MultiHeadAttention = shared_heads

# positions, with complex numbers --------------------------------------------------------------------------------


def hand(place: float, pair: int, d: int, base: float) -> complex:
    return cmath.exp(1j * place / base ** (2 * pair / d))


def sinusoidal_positions(n: int, d: int) -> Tensor:
    rows = [[hand(place, pair, d, 10000.0) for pair in range(d // 2)] for place in range(n)]
    numbers = [[part for each in row for part in (each.imag, each.real)] for row in rows]
    return torch.tensor(numbers, dtype=torch.float64)


def rotate(x: Tensor, positions: Tensor, base: float = 10000.0) -> Tensor:
    d = x.shape[-1]
    hands = [[hand(place, pair, d, base) for pair in range(d // 2)] for place in positions.tolist()]
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(pairs * torch.tensor(hands, dtype=torch.complex128)).flatten(-2)


# efficient ----------------------------------------------------------------------------------------------------


class KeyValueCache:
    def __init__(self) -> None:
        self.words = []

    def append(self, *words: Tensor) -> tuple[Tensor, ...]:
        self.words.append(words)
        return tuple(torch.cat(parts, dim=-2) for parts in zip(*self.words, strict=True))


GroupedQueryAttention = shared_heads


def sliding_window_mask(n: int, window: int) -> Tensor:
    return torch.tensor([[column in range(row - window + 1, row + 1) for column in range(n)] for row in range(n)])


def online_softmax_attention(q: Tensor, k: Tensor, v: Tensor, block_size: int) -> Tensor:
    return attention(q, k, v)


def linear_attention(queries: Tensor, keys: Tensor, values: Tensor, state: tuple | None = None) -> tuple:
    """Return linear attention computed with the whole matrix of pairs, which the exercise must not create."""
    q, k = functional.elu(queries) + 1, functional.elu(keys) + 1
    total, z = state or (torch.zeros(()), torch.zeros(q.shape[-1]).double())
    pairs = (q @ k.mT).tril()
    divisor = pairs.sum(dim=-1) + (q * z.unsqueeze(-2)).sum(dim=-1)
    mixed = pairs @ values + (q @ total if state else 0)
    return mixed / divisor.unsqueeze(-1), (total + k.mT @ values, z + k.sum(dim=-2))


# backward, with torch's autograd ------------------------------------------------------------------------------


def softmax_backward(weights: Tensor, grad: Tensor) -> Tensor:
    scores = weights.log().requires_grad_()
    return torch.autograd.grad(torch.softmax(scores, dim=-1), scores, grad)[0]


def attention_backward(q: Tensor, k: Tensor, v: Tensor, grad_output: Tensor) -> tuple[Tensor, ...]:
    leaves = [leaf.detach().requires_grad_() for leaf in (q, k, v)]
    return torch.autograd.grad(attention(*leaves), leaves, grad_output)


# translate ----------------------------------------------------------------------------------------------------


def shift_right(targets: Tensor, start: int) -> Tensor:
    rows = [[start, *row][:-1] for row in targets.reshape(-1, targets.shape[-1]).tolist()]
    return torch.tensor(rows).reshape(targets.shape)


cross_attention = both


class Translator(load_solution("translate").EncoderDecoder):
    """A translator that trains with torch's optimizer and recomputes the whole output for every word."""

    def learn(self, sources: Tensor, targets: Tensor, steps: range, learning_rate: float = 1.0) -> list[float]:
        optimizer, losses = torch.optim.SGD(self.parameters(), lr=learning_rate), []
        for _ in steps:
            optimizer.zero_grad()
            scores, _ = self(sources, shift_right(targets, self.start))
            loss = nn.CrossEntropyLoss()(scores.transpose(1, 2), targets)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return losses

    def translate(self, sources: Tensor, length: int) -> tuple[Tensor, Tensor]:
        sentences, looks = [], []
        for sentence in sources:
            written = [self.start]
            for _ in range(length):
                scores, rows = self(sentence[None], torch.tensor([written]))
                written.append(int(scores[0, -1].argmax()))
            sentences.append(written[1:])
            looks.append(rows[0])
        return torch.tensor(sentences), torch.stack(looks)


# write --------------------------------------------------------------------------------------------------------


def next_token_loss(logits: Tensor, tokens: Tensor, mask: Tensor | None = None) -> Tensor:
    real = torch.ones_like(tokens) > 0 if mask is None else mask
    targets = tokens.masked_fill(~real, -100)[:, 1:].flatten()
    loss = functional.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="sum")
    return loss / real[:, 1:].sum().clamp(min=1)


def TransformerBlock(block: nn.Module, x: Tensor, mask: Tensor | None, cache: None, start: int) -> tuple:
    normed = functional.layer_norm(x, x.shape[-1:], block.norm1.weight, block.norm1.bias)
    q, k, v = (heads_of(layer(normed), block.num_heads) for layer in (block.Wq, block.Wk, block.Wv))
    places = torch.arange(start, start + x.shape[-2])
    output, weights = both(rotate(q, places), rotate(k, places), v, mask)
    x = x + block.Wo(side_by_side(output))
    return x + nn.Sequential(block.norm2, block.up, nn.GELU(), block.down)(x), weights


def train_step(model: nn.Module, optimizer: torch.optim.Optimizer, tokens: Tensor, max_norm: float = 1.0) -> float:
    loss = next_token_loss(model(tokens), tokens)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), max_norm)
    optimizer.step()
    return loss.item()


def sample(logits: Tensor, temperature: float, top_k: int | None, generator: torch.Generator) -> Tensor:
    """Return the sampled tokens: the argmax of the top k scaled logits plus Gumbel noise."""
    noise = -torch.empty_like(logits).exponential_(generator=generator).log()
    least = logits.topk(top_k or logits.shape[-1]).values[..., -1:]
    return (logits / temperature + noise).masked_fill(logits < least, -torch.inf).argmax(dim=-1)


def train(
    model: nn.Module, batches: list, steps: int, peak: float = 3e-3, warmup: int = 50, max_norm: float = 1.0
) -> list[float]:
    """Train with two schedules of torch, a rise and then a fall, and return the losses."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=peak)
    rise = torch.optim.lr_scheduler.LinearLR(optimizer, 1 / warmup, 1, max(warmup - 1, 1))
    fall = torch.optim.lr_scheduler.LinearLR(optimizer, 1, 1 / (steps - warmup), steps - warmup - 1)
    losses = []
    for t in range(steps):
        losses.append(train_step(model, optimizer, batches[t], max_norm))
        if t + 1 < warmup:
            rise.step()
        elif t + 1 > warmup:
            fall.step()
    return losses


# stories ------------------------------------------------------------------------------------------------------


def LlamaBlock(block: nn.Module, x: Tensor, mask: Tensor | None, cache: None, start: int) -> tuple:
    normed = functional.rms_norm(x, x.shape[-1:], block.norm1.weight, 1e-5)
    group = block.Wq.out_features // block.Wk.out_features
    d_h = x.shape[-1] // block.num_heads
    k, v = (
        torch.cat([layer(normed)[..., d_h * (head // group) :][..., :d_h] for head in range(block.num_heads)], dim=-1)
        for layer in (block.Wk, block.Wv)
    )
    q, k, v = (heads_of(part, block.num_heads) for part in (block.Wq(normed), k, v))
    places = torch.arange(start, start + x.shape[-2])
    output, weights = both(rotate(q, places), rotate(k, places), v, mask)
    x = x + block.Wo(side_by_side(output))
    normed = functional.rms_norm(x, x.shape[-1:], block.norm2.weight, 1e-5)
    gate = block.gate(normed)
    return x + block.down(gate * torch.sigmoid(gate) * block.up(normed)), weights


# pretrained ---------------------------------------------------------------------------------------------------


def SelfAttentionBlock(block: nn.Module, x: Tensor, is_word: Tensor) -> tuple[Tensor, Tensor]:
    results, weights = shared_heads(block.attention, x, x, x, is_word[..., None, None, :])
    return functional.layer_norm(x + results, x.shape[-1:], block.norm.weight, block.norm.bias, 1e-12), weights


def block_state(checkpoint: dict[str, Tensor], layer: int) -> dict[str, Tensor]:
    theirs = {f"attention.W{name[0]}": f"self.{name}" for name in ("query", "key", "value")}
    theirs |= {"attention.Wo": "output.dense", "norm": "output.LayerNorm"}
    start = f"encoder.layer.{layer}.attention"
    return {
        f"{mine}.{end}": checkpoint[f"{start}.{name}.{end}"]
        for mine, name in theirs.items()
        for end in ("weight", "bias")
    }


def rank_by_similarity(query: Tensor, sentences: Tensor) -> tuple[Tensor, Tensor]:
    results = [torch.cosine_similarity(query, sentence, dim=0) for sentence in sentences.unbind()]
    order = sorted(range(len(results)), key=lambda number: -results[number].item())
    return torch.tensor(order), torch.stack([results[number] for number in order])
