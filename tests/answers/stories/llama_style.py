# expect: all passed
"""Like the reference code of the model: views, complex numbers for the rotation, keys expanded for their group."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class LlamaBlock(nn.Module):
    def __init__(self, d_model, num_heads, num_kv_heads, d_hidden):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        if num_heads % num_kv_heads != 0:
            raise ValueError("num_heads must be divisible by num_kv_heads")
        self.n_heads, self.n_kv = num_heads, num_kv_heads
        self.n_rep = num_heads // num_kv_heads
        self.head_dim = d_model // num_heads
        self.Wq = nn.Linear(d_model, num_heads * self.head_dim, bias=False)
        self.Wk = nn.Linear(d_model, num_kv_heads * self.head_dim, bias=False)
        self.Wv = nn.Linear(d_model, num_kv_heads * self.head_dim, bias=False)
        self.Wo = nn.Linear(num_heads * self.head_dim, d_model, bias=False)
        self.gate = nn.Linear(d_model, d_hidden, bias=False)
        self.up = nn.Linear(d_model, d_hidden, bias=False)
        self.down = nn.Linear(d_hidden, d_model, bias=False)
        self.norm1 = nn.RMSNorm(d_model, eps=1e-5)
        self.norm2 = nn.RMSNorm(d_model, eps=1e-5)

    def turn(self, x, start):
        n, d = x.shape[-2:]
        freqs = 1.0 / (10000.0 ** (torch.arange(0, d, 2, dtype=torch.float64) / d))
        turns = torch.outer(torch.arange(start, start + n, dtype=torch.float64), freqs)
        turns = torch.polar(torch.ones_like(turns), turns)
        as_complex = torch.view_as_complex(x.double().reshape(*x.shape[:-1], -1, 2).contiguous())
        return torch.view_as_real(as_complex * turns).flatten(-2).to(x.dtype)

    def repeat_kv(self, x):
        *batch, heads, n, d = x.shape
        return x.unsqueeze(-3).expand(*batch, heads, self.n_rep, n, d).reshape(*batch, heads * self.n_rep, n, d)

    def attention(self, x, mask, cache, start):
        *batch, n, _ = x.shape
        xq = self.Wq(x).view(*batch, n, self.n_heads, self.head_dim).transpose(-2, -3)
        xk = self.Wk(x).view(*batch, n, self.n_kv, self.head_dim).transpose(-2, -3)
        xv = self.Wv(x).view(*batch, n, self.n_kv, self.head_dim).transpose(-2, -3)
        xq, xk = self.turn(xq, start), self.turn(xk, start)
        if cache is not None:
            xk, xv = cache.append(xk, xv)
        xk, xv = self.repeat_kv(xk), self.repeat_kv(xv)
        scores = torch.matmul(xq, xk.transpose(-1, -2)) / math.sqrt(self.head_dim)
        if mask is not None:
            scores = torch.where(mask, scores, torch.full_like(scores, float("-inf")))
        probs = F.softmax(scores, dim=-1)
        out = torch.matmul(probs, xv).transpose(-2, -3).contiguous().view(*batch, n, -1)
        return self.Wo(out), probs

    def forward(self, x, mask=None, cache=None, start=0):
        attn, probs = self.attention(self.norm1(x), mask, cache, start)
        h = x + attn
        y = self.norm2(h)
        return h + self.down(F.silu(self.gate(y)) * self.up(y)), probs
