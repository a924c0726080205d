# expect: TransformerBlock wrong eps_of_another_model
# like: plain.py
# edit: nn.LayerNorm(d_model), nn.LayerNorm(d_model) -> (nn.LayerNorm(d_model, eps=1e-12) for _ in range(2))
"""The eps of BERT."""
