# expect: scaled_dot_product_attention wrong masked_after_softmax_and_divided
# like: ../matmul.py


def scaled_dot_product_attention(query, key, value, mask=None):
    weights = batched_softmax(attention_scores(query, key) / np.sqrt(np.shape(key)[-1]))
    if mask is not None:
        weights = weights * mask
        weights /= weights.sum(-1, keepdims=True)
    return context_vectors(weights, value), weights
