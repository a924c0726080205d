# expect: AdditiveAttention wrong
# told: As it is made, the module cannot learn
# like: wrong_columns_without_bias.py
# edit: dim=-2 -> dim=-1
# edit: self.Ws = nn.Linear(num_out_features, 1, bias=False) -> self.Ws = nn.Linear(num_out_features, 1, bias=False)
# + nn.init.zeros_(self.Ws.weight)
