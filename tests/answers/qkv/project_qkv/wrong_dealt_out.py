# expect: project_qkv wrong columns_interleaved
import torch


def project_qkv(inp, wq, wk, wv):
    fused = inp @ torch.cat([wq, wk, wv], dim=1)
    dealt = fused.reshape(*inp.shape[:-1], wq.shape[1], 3)
    return dealt[..., 0], dealt[..., 1], dealt[..., 2]
