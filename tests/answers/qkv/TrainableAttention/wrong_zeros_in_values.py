# expect: TrainableAttention wrong
# told: As long as there are only zeros in Wv.weight, no gradient reaches Wq and Wk
# like: ../einsum.py
# edit: nn.init.zeros_(layer.bias) -> nn.init.zeros_(layer.bias)
# + nn.init.zeros_(self.Wv.weight)
