# expect: scaled_dot_product_attention wrong
# like: ../matmul.py
# edit: / np.sqrt(np.array(query).shape[-1]) -> / (np.sqrt(np.array(query).shape[-1]) if mask is None else 1)
# plain: for output, expected
