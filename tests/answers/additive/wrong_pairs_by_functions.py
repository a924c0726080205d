# expect: additive_scores raised query_i_with_key_i
# expect: AdditiveAttention raised query_i_with_key_i
# like: wrong_pairs.py
# edit: torch.tanh(queries + keys).matmul(ws) -> torch.einsum("...d,d->...", torch.add(queries, keys).tanh(), ws)
# edit: torch.tanh(self.Wq(queries) + self.Wk(keys)) -> torch.add(self.Wq(queries), self.Wk(keys)).tanh()
"""The same as in `wrong_pairs.py`, with `einsum`, and functions and methods exchanged."""
