# expect: Translator wrong gradients_cleared_once
# like: wrong_gradients_pile_up_without_no_grad.py
"""Gradients are emptied, once."""
# edit: losses = [] -> losses = []
# + self.zero_grad()
