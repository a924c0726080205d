# expect: train_step wrong each_number_clipped
# like: plain.py
# edit: clip_grad_norm_ -> clip_grad_value_
"""The other of torch's two ways to clip."""
