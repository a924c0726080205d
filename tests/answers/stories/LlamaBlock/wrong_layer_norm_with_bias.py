# expect: LlamaBlock wrong layer_norm_with_bias
# like: ../parts.py
# edit: self.norm1 = nn.RMSNorm(d_model, eps=1e-5) -> self.norm1 = nn.LayerNorm(d_model)
# edit: self.norm2 = nn.RMSNorm(d_model, eps=1e-5) -> self.norm2 = nn.LayerNorm(d_model)
