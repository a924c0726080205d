# expect: SelfAttention wrong
# like: unit_matrices.py
# edit: torch.eye(d_in -> torch.zeros(d_in
