# expect: plot_attention wrong figure_returned
# like: wrong_image_returned.py
# edit: return image -> return ax.figure
