# expect: plot_attention wrong
# plain: returned the Axes of an earlier call, with the old plot in it
# like: plain.py
# edit: ax=None): -> ax=plt.figure().gca()):
# edit: if ax is None: -> if False:
"""A default is made once, when the function is."""
