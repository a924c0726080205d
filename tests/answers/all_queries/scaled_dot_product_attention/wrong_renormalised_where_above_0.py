# expect: scaled_dot_product_attention wrong masked_after_softmax_and_divided_above_0
# like: wrong_renormalised.py
# edit: weights /= weights.sum(-1, keepdims=True) -> total = weights.sum(-1, keepdims=True)
# + weights = np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
