# expect: additive_scores wrong result_detached
# expect: AdditiveAttention wrong result_detached
# like: wrong_layers.py
# edit: num_in_features, num_out_features): -> num_in_features=300, num_out_features=256):
# edit: self.Wo = nn.LazyLinear(7) -> nothing
# edit: def forward(self, queries, keys, values): -> @torch.no_grad()
# + def forward(self, queries, keys, values):
# edit: return self.Wo(weights @ values), weights -> return weights @ values, weights
"""Right numbers that remember nothing."""


def additive_scores(queries, keys, ws):
    bent = torch.tanh(queries.data.unsqueeze(-2) + keys.data.unsqueeze(-3))
    return bent @ ws.data
