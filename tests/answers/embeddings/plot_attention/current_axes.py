# expect: plot_attention passed
# like: plain.py
# edit: _, ax = plt.subplots() -> ax = plt.gca()
"""On the current Axes."""
