# expect: SelfAttentionBlock wrong norm_is_a_plain_function
# like: unflattened.py
# edit: nn.LayerNorm(d_model, eps=1e-12) -> lambda y: nn.functional.layer_norm(y, (d_model,), eps=1e-12)
"""A norm without weights."""
