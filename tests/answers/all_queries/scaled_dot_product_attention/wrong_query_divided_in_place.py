# expect: scaled_dot_product_attention wrong
# told: Your code changes its argument `query`.
# like: ../matmul.py
# edit: attention_scores(query, key) / np.sqrt(np.array(query).shape[-1]) -> attention_scores(query, key)
# edit: if mask is None: -> query = np.asarray(query, dtype=float)
# + query /= np.sqrt(query.shape[-1])
# + scores = attention_scores(query, key)
# + if mask is None:
