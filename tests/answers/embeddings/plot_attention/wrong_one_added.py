# expect: plot_attention wrong
# plain: draws 1.9 in row 0 and column 0, counted from 0, expected 0.9
# like: plain.py
# edit: np.asarray(attn_matrix) -> np.asarray(attn_matrix) + 1
