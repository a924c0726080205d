# expect: plot_attention wrong
# plain: draws numbers that are rounded to 1 decimal
# like: plain.py
# edit: np.asarray(attn_matrix) -> np.round(attn_matrix, 1)
