# expect: linear_attention wrong
# like: one_after_the_other.py
# edit: .squeeze(-2) / torch.sum(q * z, -1, keepdim=True), S, z -> .squeeze(-2), S, z
# edit: return torch.cat(output, dim=-2), (S, z) -> return (S, z), torch.cat(output, dim=-2)
