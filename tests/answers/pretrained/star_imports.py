# expect: all passed
"""Stars, short names, topk over all."""

from torch import *
from torch.nn import *
from torch.nn.functional import normalize
from builtins import *
from math import sqrt


class MultiHeadAttention(Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.Wq, self.Wk, self.Wv, self.Wo = [Linear(d_model, d_model) for _ in range(4)]
        self.h = num_heads

    def forward(self, q, k, v, mask=None):
        q, k, v = [stack(f(x).chunk(self.h, -1), -3) for f, x in ((self.Wq, q), (self.Wk, k), (self.Wv, v))]
        s = q @ k.mT / sqrt(q.shape[-1])
        if mask is not None:
            s = where(mask, s, full_like(s, -inf))
        w = softmax(s, -1)
        return self.Wo(cat((w @ v).unbind(-3), -1)), w


class SelfAttentionBlock(Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm = LayerNorm(d_model, eps=1e-12)

    def forward(self, x, is_word):
        f, w = self.attention(x, x, x, is_word[..., None, None, :])
        return self.norm(f + x), w


def block_state(checkpoint, layer):
    begin = "encoder.layer.%d.attention." % layer
    old = ["self.query", "self.key", "self.value", "output.dense", "output.LayerNorm"]
    new = ["attention.Wq", "attention.Wk", "attention.Wv", "attention.Wo", "norm"]
    return dict((n + end, checkpoint[begin + o + end]) for o, n in zip(old, new) for end in (".weight", ".bias"))


def rank_by_similarity(query, sentences):
    c = normalize(sentences, dim=1) @ normalize(query, dim=0)
    t = c.topk(len(c))
    return t.indices, t.values
