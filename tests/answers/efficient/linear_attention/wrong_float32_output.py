# expect: linear_attention wrong
# plain: returned float32 numbers for output, with float64 input
# like: one_after_the_other.py
# edit: return torch.cat(output, dim=-2), (S, z) -> return torch.cat(output, dim=-2).float(), (S, z)
