# expect: SelfAttention passed
# like: unit_matrices.py
# edit: torch.eye(d_in -> torch.ones(d_in
