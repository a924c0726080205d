# expect: SelfAttentionBlock wrong
# plain: was created without norm.weight
# like: unflattened.py
# edit: nn.LayerNorm(d_model, eps=1e-12) -> lambda y: nn.functional.layer_norm(y, (d_model,), eps=1e-12)
"""A norm without weights."""
