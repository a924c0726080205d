# expect: TrainableAttention wrong
# plain: its attribute Wq.weight has shape (4, 2), expected (2, 2)
# like: plain.py
# edit: , self.Wv = (nn.Linear(d_in, d_out) for _ in range(3 -> = (nn.Linear(d_in, 2 * d_out) for _ in range(2
# edit: self.Wv(values -> self.Wk(values
"""Two layers, twice as wide."""
