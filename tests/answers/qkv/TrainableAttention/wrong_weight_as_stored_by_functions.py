# expect: TrainableAttention raised weights_not_transposed
# like: wrong_weight_as_stored.py
# edit: torch.matmul(queries, self.Wq.weight) -> nn.functional.linear(queries, self.Wq.weight.T)
# edit: torch.matmul(keys, self.Wk.weight) -> nn.functional.linear(keys, self.Wk.weight.T)
# edit: torch.matmul(values, self.Wv.weight) -> values @ self.Wv.weight
"""The same as in `wrong_weight_as_stored.py`, with `linear` and `@`."""
