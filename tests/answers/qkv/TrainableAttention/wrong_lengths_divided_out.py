# expect: TrainableAttention wrong queries_and_keys_normalised
# like: plain.py
# edit: weights = torch -> q, k = q / q.norm(dim=-1, keepdim=True), k / k.norm(dim=-1, keepdim=True)
# + weights = torch
