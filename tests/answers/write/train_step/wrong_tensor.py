# expect: train_step wrong loss_not_detached
# like: plain.py
# edit: return loss.item() -> return loss
"""The loss as it is."""
