# expect: AdditiveAttention wrong scores_in_float32
# like: wrong_columns_without_bias.py
# edit: self.Ws(features).squeeze(-1).softmax(dim=-2) -> self.Ws(features).squeeze(-1).float().softmax(-1).to(values)
