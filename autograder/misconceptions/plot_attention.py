"""Mistakes seen in answers to plot_attention."""

queries_across = {
    '{"xticklabels": list(key_tokens), "yticklabels": list(query_tokens)}': """
        {"xticklabels": list(query_tokens), "yticklabels": list(key_tokens)}
    """,
    "np.asarray(attn_matrix)": "np.transpose(attn_matrix)",
}
"""The picture lies on its side: queries go down and keys across, as in the matrix."""

labels_exchanged = {
    '{"xticklabels": list(key_tokens), "yticklabels": list(query_tokens)}': """
        {"xticklabels": list(query_tokens), "yticklabels": list(key_tokens)}
    """
}
"""The two lists of labels changed places: rows belong to queries, which are the labels of the y axis."""

matrix_transposed = {"np.asarray(attn_matrix)": "np.transpose(attn_matrix)"}
"""The matrix is transposed and its labels are not: row i of the picture has to be row i of the matrix."""

rows_upside_down = {"np.asarray(attn_matrix)": "np.asarray(attn_matrix)[::-1]"}
"""The rows are turned upside down and their labels are not, so that each stands at another query's row."""

ticks_at_the_edges = {
    "return ax": """
        ax.set_xticks(range(len(key_tokens)), key_tokens)
        ax.set_yticks(range(len(query_tokens)), query_tokens)
        return ax
    """
}
"""The labels stand at the edges of the squares: here row i reaches from i to i + 1.

Where is its centre?
"""

ticks_half_a_square_too_far = {
    "return ax": """
        ax.set_xticks(range(1, len(key_tokens) + 1), key_tokens)
        ax.set_yticks(range(1, len(query_tokens) + 1), query_tokens)
        return ax
    """
}
"""The labels stand half a square too far: with `imshow` and `matshow`, row i is centred at i.

Adding a half is right for `pcolormesh` and seaborn's heat map.
"""

labels_shifted_by_one = {"list(key_tokens)": '[*key_tokens[1:], ""]', "list(query_tokens)": '[*query_tokens[1:], ""]'}
"""Every label stands at the square before its own, and the first one is lost: a tick outside the picture took it.

Labels go to the ticks there are, the first label to the first tick. Set the ticks before you label them.
"""

labels_left_out = {
    'labels = {"xticklabels": list(key_tokens), "yticklabels": list(query_tokens)}': """
        import pandas as pd

        table = pd.DataFrame(np.asarray(attn_matrix), index=query_tokens, columns=key_tokens)
    """,
    "np.asarray(attn_matrix), ax=ax": "table, ax=ax",
    ", **labels": "",
}
"""Where there are many tokens some have no label: seaborn leaves out what would touch, unless you pass all of them.

It does so when `xticklabels` and `yticklabels` are "auto". What else may they be?
"""

numbers_for_tokens = {"list(key_tokens)": "range(len(key_tokens))", "list(query_tokens)": "range(len(query_tokens))"}
"""The ticks are numbered, and the reader has to count words: write the tokens there."""

each_token_once = {
    "list(key_tokens)": "list(dict.fromkeys(key_tokens))",
    "list(query_tokens)": "list(dict.fromkeys(query_tokens))",
}
"""A token that occurs twice is labelled once: each row and each column has a label of its own."""

other_numbers = {"np.asarray(attn_matrix)": "np.asarray(attn_matrix) / np.max(attn_matrix)"}
"""The numbers are rescaled before they are drawn, so that the colour bar tells no weights: draw them as they are.

If the colours are too pale, change the ends of the colour scale instead.
"""

no_colour_bar = {'cbar_kws={"label": "weight"}': "cbar=False"}
"""There is no colour bar: without one, nobody knows how much dark is."""

no_title = {'title="attention", ': ""}
"""There is no title: the picture has to say what it shows."""

no_axis_labels = {', xlabel="keys", ylabel="queries"': ""}
"""The axes have no labels, and the reader cannot tell queries from keys: say which is which."""

words_on_the_current_axes = {
    'ax.set(title="attention", xlabel="keys", ylabel="queries")': """
        plt.title("attention")
        plt.xlabel("keys")
        plt.ylabel("queries")
    """
}
"""`plt.title` and its kin write on the current axes, which need not be the ones you were given: ask `ax` itself."""

given_axes_ignored = {"if ax is None:\n    _, ax = plt.subplots()": "_, ax = plt.subplots()"}
"""The axes that were given stay empty: draw on `ax` where there is one, or nobody can put two pictures in a row."""

nothing_returned = {"return ax": ""}
"""The picture is drawn but not returned: hand the Axes back, so that one can change the title or draw on.

`plt.show()` is for the one who calls, when all pictures are in place.
"""

figure_returned = {"return ax": "return ax.figure"}
"""The figure comes back: return the Axes in it that carry the heat map."""

colour_bar_returned = {"return ax": "return ax.figure.axes[-1]"}
"""These Axes are those of the colour bar, which become the current ones: return the ones with the heat map."""

squeezed = {"np.asarray(attn_matrix)": "np.squeeze(attn_matrix)"}
"""`squeeze` takes away every axis of length 1, also the only query or the only key: the matrix has its two axes."""
