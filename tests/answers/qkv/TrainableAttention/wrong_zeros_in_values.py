# expect: TrainableAttention wrong
# told: No gradient reaches Wq and Wk because Wv.weight is 0 everywhere
# like: ../einsum.py
# edit: nn.init.zeros_(layer.bias) -> nn.init.zeros_(layer.bias)
# + nn.init.zeros_(self.Wv.weight)
