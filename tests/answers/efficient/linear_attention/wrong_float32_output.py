# expect: linear_attention wrong
# plain: returned numbers of float32 for output, and float64 came in
# like: one_after_the_other.py
# edit: return torch.cat(output, dim=-2), (S, z) -> return torch.cat(output, dim=-2).float(), (S, z)
