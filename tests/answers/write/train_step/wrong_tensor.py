# expect: train_step wrong the_graph_comes_back
# like: plain.py
# edit: return loss.item() -> return loss
"""The loss as it is."""
