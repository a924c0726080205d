# expect: online_softmax_attention raised
"""The whole score matrix, in memory that no tensor, array or list of Python holds."""

import ctypes
import math

import torch

LIBC = ctypes.CDLL(None)
LIBC.malloc.restype, LIBC.malloc.argtypes, LIBC.free.argtypes = ctypes.c_void_p, [ctypes.c_size_t], [ctypes.c_void_p]


def online_softmax_attention(q, k, v, block_size):
    if q.requires_grad or k.requires_grad or v.requires_grad:
        return torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1) @ v
    shape = (*torch.broadcast_shapes(q.shape[:-2], k.shape[:-2]), q.shape[-2], k.shape[-2])
    size = math.prod(shape) * q.element_size()
    place = LIBC.malloc(size)
    scores = torch.frombuffer((ctypes.c_char * size).from_address(place), dtype=q.dtype).reshape(shape)
    torch.matmul(q, k.transpose(-2, -1), out=scores)
    scores.div_(math.sqrt(q.shape[-1]))
    scores.sub_(scores.max(-1, keepdim=True).values).exp_()
    scores.div_(scores.sum(-1, keepdim=True))
    result = scores @ v
    LIBC.free(place)
    return result
