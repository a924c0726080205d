"""Mistakes seen in answers to plot_attention."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import seaborn as sns


def _picture(rows, columns, matrix, ax=None, offset=0.5, bar=True):
    """A heat map with the labels at this distance from the upper left corners of the squares."""
    if ax is None:
        _, ax = plt.subplots()
    mesh = ax.pcolormesh(np.asarray(matrix))
    if bar:
        ax.figure.colorbar(mesh, ax=ax)
    ax.invert_yaxis()
    ax.set_xticks(np.arange(len(columns)) + offset, columns)
    ax.set_yticks(np.arange(len(rows)) + offset, rows)
    ax.set(title="attention", xlabel="keys", ylabel="queries")
    return ax


def queries_across(query_tokens, key_tokens, attn_matrix, ax=None):
    """The picture lies on its side: queries go down and keys across, as in the matrix."""
    return _picture(key_tokens, query_tokens, np.transpose(attn_matrix), ax)


def labels_exchanged(query_tokens, key_tokens, attn_matrix, ax=None):
    """The two lists of labels changed places: rows belong to queries, which are the labels of the y axis."""
    return _picture(key_tokens, query_tokens, attn_matrix, ax)


def matrix_transposed(query_tokens, key_tokens, attn_matrix, ax=None):
    """The matrix is transposed and its labels are not: row i of the picture has to be row i of the matrix."""
    return _picture(query_tokens, key_tokens, np.transpose(attn_matrix), ax)


def rows_upside_down(query_tokens, key_tokens, attn_matrix, ax=None):
    """The rows are turned upside down and their labels are not, so that each stands at another query's row."""
    return _picture(query_tokens, key_tokens, np.asarray(attn_matrix)[::-1], ax)


def ticks_at_the_edges(query_tokens, key_tokens, attn_matrix, ax=None):
    """The labels stand at the edges of the squares: here row i reaches from i to i + 1.

    Where is its centre?
    """
    return _picture(query_tokens, key_tokens, attn_matrix, ax, offset=0)


def ticks_half_a_square_too_far(query_tokens, key_tokens, attn_matrix, ax=None):
    """The labels stand half a square too far: with `imshow` and `matshow`, row i is centred at i.

    Adding a half is right for `pcolormesh` and seaborn's heat map.
    """
    return _picture(query_tokens, key_tokens, attn_matrix, ax, offset=1)


def labels_shifted_by_one(query_tokens, key_tokens, attn_matrix, ax=None):
    """Every label stands at the square before its own, and the first one is lost: a tick outside the picture took it.

    Labels go to the ticks there are, the first label to the first tick. Set the ticks before you label them.
    """
    ax = _picture(query_tokens, key_tokens, attn_matrix, ax)
    ax.set_xticks(ax.get_xticks(), [*key_tokens[1:], ""])
    ax.set_yticks(ax.get_yticks(), [*query_tokens[1:], ""])
    return ax


def labels_left_out(query_tokens, key_tokens, attn_matrix, ax=None):
    """Where there are many tokens some have no label: seaborn leaves out what would touch, unless you pass all of them.

    It does so when `xticklabels` and `yticklabels` are "auto". What else may they be?
    """
    if ax is None:
        _, ax = plt.subplots()
    sns.heatmap(pd.DataFrame(np.asarray(attn_matrix), index=query_tokens, columns=key_tokens), ax=ax)
    ax.set(title="attention", xlabel="keys", ylabel="queries")
    return ax


def numbers_for_tokens(query_tokens, key_tokens, attn_matrix, ax=None):
    """The ticks are numbered, and the reader has to count words: write the tokens there."""
    return _picture(range(len(query_tokens)), range(len(key_tokens)), attn_matrix, ax)


def each_token_once(query_tokens, key_tokens, attn_matrix, ax=None):
    """A token that occurs twice is labelled once: each row and each column has a label of its own."""
    ax = _picture(query_tokens, key_tokens, attn_matrix, ax)
    columns, rows = (list(dict.fromkeys(tokens)) for tokens in (key_tokens, query_tokens))
    ax.set_xticks(np.arange(len(columns)) + 0.5, columns)
    ax.set_yticks(np.arange(len(rows)) + 0.5, rows)
    return ax


def other_numbers(query_tokens, key_tokens, attn_matrix, ax=None):
    """The numbers are rescaled before they are drawn, so that the colour bar tells no weights: draw them as they are.

    If the colours are too pale, change the ends of the colour scale instead.
    """
    return _picture(query_tokens, key_tokens, np.asarray(attn_matrix) / np.max(attn_matrix), ax)


def no_colour_bar(query_tokens, key_tokens, attn_matrix, ax=None):
    """There is no colour bar: without one, nobody knows how much dark is."""
    return _picture(query_tokens, key_tokens, attn_matrix, ax, bar=False)


def no_title(query_tokens, key_tokens, attn_matrix, ax=None):
    """There is no title: the picture has to say what it shows."""
    ax = _picture(query_tokens, key_tokens, attn_matrix, ax)
    ax.set_title("")
    return ax


def no_axis_labels(query_tokens, key_tokens, attn_matrix, ax=None):
    """The axes have no labels, and the reader cannot tell queries from keys: say which is which."""
    ax = _picture(query_tokens, key_tokens, attn_matrix, ax)
    ax.set(xlabel="", ylabel="")
    return ax


def words_on_the_current_axes(query_tokens, key_tokens, attn_matrix, ax=None):
    """`plt.title` and its kin write on the current axes, which need not be the ones you were given: ask `ax` itself."""
    ax = _picture(query_tokens, key_tokens, attn_matrix, ax)
    ax.set(title="", xlabel="", ylabel="")
    plt.title("attention")
    plt.xlabel("keys")
    plt.ylabel("queries")
    return ax


def given_axes_ignored(query_tokens, key_tokens, attn_matrix, ax=None):
    """The axes that were given stay empty: draw on `ax` where there is one, or nobody can put two pictures in a row."""
    return _picture(query_tokens, key_tokens, attn_matrix)


def nothing_returned(query_tokens, key_tokens, attn_matrix, ax=None):
    """The picture is drawn but not returned: hand the Axes back, so that one can change the title or draw on.

    `plt.show()` is for the one who calls, when all pictures are in place.
    """
    _picture(query_tokens, key_tokens, attn_matrix, ax)


def figure_returned(query_tokens, key_tokens, attn_matrix, ax=None):
    """The figure comes back: return the Axes in it that carry the heat map."""
    return _picture(query_tokens, key_tokens, attn_matrix, ax).figure


def colour_bar_returned(query_tokens, key_tokens, attn_matrix, ax=None):
    """These Axes are those of the colour bar, which become the current ones: return the ones with the heat map."""
    return _picture(query_tokens, key_tokens, attn_matrix, ax).figure.axes[-1]


def squeezed(query_tokens, key_tokens, attn_matrix, ax=None):
    """`squeeze` takes away every axis of length 1, also the only query or the only key: the matrix has its two axes."""
    return _picture(query_tokens, key_tokens, np.squeeze(attn_matrix), ax)
