# expect: LlamaBlock wrong gelu_instead_of_silu
# like: ../llama_style.py
# edit: F.silu(self.gate(y)) -> F.gelu(self.gate(y))
