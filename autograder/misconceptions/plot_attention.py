"""Mistakes seen in answers to plot_attention."""

queries_across = {
    '{"xticklabels": list(key_tokens), "yticklabels": list(query_tokens)}': """
        {"xticklabels": list(query_tokens), "yticklabels": list(key_tokens)}
    """,
    "np.asarray(attn_matrix)": "np.transpose(attn_matrix)",
}
"""The picture lies on its side: queries go across and keys down. Each label stands at its own numbers.

Draw 2 queries and 5 keys. How many rows has the matrix, and how many the picture?

Queries should go down and keys across, as in the matrix.
"""

labels_exchanged = {
    '{"xticklabels": list(key_tokens), "yticklabels": list(query_tokens)}': """
        {"xticklabels": list(query_tokens), "yticklabels": list(key_tokens)}
    """
}
"""The labels of the two axes have changed places. In self-attention both lists of words are the same, so the ticks look
right.

Draw the weights of an English sentence over a French one. Which words stand at the rows?

The labels of the y axis should be the queries, those of the x axis the keys.
"""

matrix_transposed = {"np.asarray(attn_matrix)": "np.transpose(attn_matrix)"}
"""Rows and columns of the matrix have changed places in the picture, and the labels have not.

Draw `[[1, 0], [1, 0]]`. Which column should be dark?

Row i of the picture should be row i of the matrix.
"""

rows_upside_down = {"np.asarray(attn_matrix)": "np.asarray(attn_matrix)[::-1]"}
"""The rows stand in the opposite order, and the labels do not, so each label stands at another query's weights.

Draw `[[1, 0], [0, 0]]`. Which row should have the dark square?

Label i should stand at row i of the matrix.
"""

ticks_at_the_edges = {
    "return ax": """
        ax.set_xticks(range(len(key_tokens)), key_tokens)
        ax.set_yticks(range(len(query_tokens)), query_tokens)
        return ax
    """
}
"""The labels stand half a square too early, where their row or column begins.

Print `ax.get_yticks()`. Where does the first row begin, where does it end, and where is its centre?

Each label should stand at the centre of its row or column.
"""

ticks_half_a_square_too_far = {
    "return ax": """
        ax.set_xticks(range(1, len(key_tokens) + 1), key_tokens)
        ax.set_yticks(range(1, len(query_tokens) + 1), query_tokens)
        return ax
    """
}
"""The labels stand half a square too far, where the next row or column begins.

Print `ax.get_yticks()`. Row i has its centre at i with `imshow` and `matshow`, at i + 0.5 with seaborn's heat map and
`pcolormesh`: which do you draw with?

Each label should stand at the centre of its row or column.
"""

labels_shifted_by_one = {"list(key_tokens)": '[*key_tokens[1:], ""]', "list(query_tokens)": '[*query_tokens[1:], ""]'}
"""Every label stands at the square before its own, and the first one is lost, as when a tick outside the picture has
got it.

Print `ax.get_xticks()` with the labels. How many ticks are there?

The first label should stand at the first square.
"""

labels_left_out = {
    'labels = {"xticklabels": list(key_tokens), "yticklabels": list(query_tokens)}': """
        import pandas as pd

        table = pd.DataFrame(np.asarray(attn_matrix), index=query_tokens, columns=key_tokens)
    """,
    "np.asarray(attn_matrix), ax=ax": "table, ax=ax",
    ", **labels": "",
}
"""Where there are many tokens, some of them have no label, as seaborn leaves out those that would touch. With few
tokens it is right.

Draw forty tokens and count the labels. What may `xticklabels` be besides "auto"?

Every token should have its label.
"""

numbers_for_tokens = {"list(key_tokens)": "range(len(key_tokens))", "list(query_tokens)": "range(len(query_tokens))"}
"""The ticks are numbered. The picture is right, but to read it one counts words.

Look at your picture without the sentence beside it.

The tokens should stand at the ticks.
"""

each_token_once = {
    "list(key_tokens)": "list(dict.fromkeys(key_tokens))",
    "list(query_tokens)": "list(dict.fromkeys(query_tokens))",
}
"""A token that occurs twice is labelled once. With different tokens nothing shows.

Draw "one is one" and count the labels.

Each row and each column should have a label.
"""

other_numbers = {"np.asarray(attn_matrix)": "np.asarray(attn_matrix) / np.max(attn_matrix)"}
"""The numbers are rescaled before they are drawn, so the colours look good and the colour bar tells no weights.

Read the largest number off your colour bar, and compare it with the matrix.

The numbers that are drawn should be those of the matrix; the ends of the colour scale are free.
"""

no_colour_bar = {'cbar_kws={"label": "weight"}': "cbar=False"}
"""There is no colour bar, so nothing tells which weight a colour stands for.

Look at your picture: which weight has the darkest square?

A colour bar should stand beside the picture.
"""

no_title = {'title="attention", ': ""}
"""There is no title.

Look at your picture as somebody who finds it in a report.

The picture should say what it shows.
"""

no_axis_labels = {', xlabel="keys", ylabel="queries"': ""}
"""The axes have no labels, so the reader cannot tell queries from keys.

Look at your picture: who asks, the rows or the columns?

Each axis should say what it shows.
"""

words_on_the_current_axes = {
    'ax.set(title="attention", xlabel="keys", ylabel="queries")': """
        plt.title("attention")
        plt.xlabel("keys")
        plt.ylabel("queries")
    """
}
"""Title and labels are written on the current axes, as `plt.title` does. Where the axes that were given are the current
ones, it is right.

Make two axes with `plt.subplots(1, 2)` and draw on the first.

Everything should be written on the axes that were given.
"""

given_axes_ignored = {"if ax is None:\n    _, ax = plt.subplots()": "_, ax = plt.subplots()"}
"""The axes that were given stay empty: the picture is on others.

Make two axes with `plt.subplots(1, 2)` and draw on both.

Where axes are given, the picture should be drawn on them.
"""

nothing_returned = {"return ax": ""}
"""The call gives back `None`, whatever it draws.

Write `drawn = plot_attention(...)`, then try `drawn.set_title("mine")`.

The axes should come back, so that the caller can go on drawing.
"""

figure_returned = {"return ax": "return ax.figure"}
"""What comes back is the whole figure.

Which type does the docstring name under "Returns"?

The axes that carry the heat map should come back.
"""

colour_bar_returned = {"return ax": "return ax.figure.axes[-1]"}
"""What comes back are the axes of the colour bar, and not those of the heat map.

Print the title of what comes back.

The axes that carry the heat map should come back.
"""

squeezed = {"np.asarray(attn_matrix)": "np.squeeze(attn_matrix)"}
"""Every axis of length 1 is taken away, so a single query or a single key raises an error. With more it is right.

Draw one query over five keys.

The matrix should keep its two axes, whatever their lengths.
"""
