# expect: AdditiveAttention wrong
# told: No gradient reaches Wq and Wk because Ws.weight is 0 everywhere
# like: wrong_columns_without_bias.py
# edit: dim=-2 -> dim=-1
# edit: self.Ws = nn.Linear(num_out_features, 1, bias=False) -> self.Ws = nn.Linear(num_out_features, 1, bias=False)
# + nn.init.zeros_(self.Ws.weight)
