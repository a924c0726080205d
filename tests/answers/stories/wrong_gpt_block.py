# expect: LlamaBlock wrong
# like: llama_style.py
# edit: F.silu(self.gate(y)) * self.up(y) -> F.gelu(self.gate(y)) * self.up(y)
# edit: h = x + attn -> h = self.norm1(x) + attn
