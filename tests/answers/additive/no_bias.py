# expect: all passed
# like: broadcasting.py
# edit: self.Ws = nn.Linear(num_out_features, 1)  # made first -> self.Ws = nn.Linear(num_out_features, 1, bias=False)
# + self.Wk = nn.Linear(num_in_features, num_out_features, bias=False)
# + self.Wq = nn.Linear(num_in_features, num_out_features, bias=False)
# edit: self.Wk = nn.Linear(num_in_features, num_out_features) -> nothing
# edit: self.Wq = nn.Linear(num_in_features, num_out_features) -> nothing
"""Layers without a bias, which the contract leaves open."""
