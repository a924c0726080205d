# expect: LlamaBlock wrong no_gate
# like: ../llama_style.py
# edit: F.silu(self.gate(y)) * self.up(y) -> F.silu(self.up(y))
