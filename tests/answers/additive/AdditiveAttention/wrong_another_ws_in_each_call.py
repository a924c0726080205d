# expect: AdditiveAttention wrong
# plain: changed Ws.weight. Only an optimizer should do that
# like: wrong_columns_without_bias.py
# edit: weights = self.Ws(features) -> self.Ws = nn.Linear(features.shape[-1], 1, bias=False)
# + weights = self.Ws(features)
# edit: dim=-2 -> dim=-1
