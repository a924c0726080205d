# expect: plot_attention wrong
# plain: draws 2 by 3 squares, expected 3 by 2 squares: a row for each query and a column for each key
# like: plain.py
# edit: np.asarray(attn_matrix) -> np.transpose(attn_matrix) + 1
