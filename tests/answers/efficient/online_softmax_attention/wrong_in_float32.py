# expect: online_softmax_attention wrong
# plain: as when something is computed in float32
# like: plain.py
# edit: -torch.inf, dtype=q.dtype -> -torch.inf
# edit: v.shape[-1], dtype=q.dtype -> v.shape[-1]
# edit: total, mixed, m = c -> total, mixed, m = total.float(), mixed.float(), new.float()
# + total, mixed = c
# edit: p @ values, new -> p @ values
# edit: return mixed / total -> return (mixed / total).to(q.dtype)
"""Whatever is kept between two blocks is in single precision."""
