# expect: online_softmax_attention wrong
# plain: returned float32 numbers for float64 input
# like: wrong_ends_with_the_queries.py
# edit: n = q.shape[-2] -> n = k.shape[-2]
# edit: return out / total -> return (out / total).float()
