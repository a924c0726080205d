# expect: TrainableAttention wrong lengths_divided_out
# like: plain.py
# edit: weights = torch -> q, k = q / q.norm(dim=-1, keepdim=True), k / k.norm(dim=-1, keepdim=True)
# + weights = torch
