# expect: all passed
"""Stars and einsum with letters of its own."""

from torch import *
from builtins import *
from math import sqrt


def softmax_backward(weights, grad):
    return einsum("...i,...i->...i", weights, grad - einsum("...i,...i->...", weights, grad).unsqueeze(-1))


def attention_backward(Q, K, V, G):
    S = einsum("...qd,...kd->...qk", Q, K) / sqrt(Q.shape[-1])
    P = softmax(S, -1)
    dP = einsum("...qe,...ke->...qk", G, V)
    dS = softmax_backward(P, dP) / sqrt(Q.shape[-1])
    return einsum("...qk,...kd->...qd", dS, K), einsum("...qk,...qd->...kd", dS, Q), einsum("...qk,...qe->...ke", P, G)
