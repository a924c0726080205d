# expect: TrainableAttention wrong relu_on_queries_and_keys
# like: plain.py
# edit: self.Wq(queries), self.Wk(keys) -> self.Wq(queries).clamp(min=0), self.Wk(keys).clamp(min=0)
