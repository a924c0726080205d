# expect: train_step wrong clipped_by_value
# like: plain.py
# edit: clip_grad_norm_ -> clip_grad_value_
"""The other of torch's two ways to clip."""
