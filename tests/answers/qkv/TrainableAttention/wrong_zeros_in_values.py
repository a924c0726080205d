# expect: TrainableAttention wrong
# told: No gradient reaches Wq and Wk while there are only zeros in Wv.weight
# like: ../einsum.py
# edit: nn.init.zeros_(layer.bias) -> nn.init.zeros_(layer.bias)
# + nn.init.zeros_(self.Wv.weight)
