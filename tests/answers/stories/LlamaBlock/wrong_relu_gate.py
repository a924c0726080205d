# expect: LlamaBlock wrong relu_instead_of_silu
# like: ../llama_style.py
# edit: F.silu(self.gate(y)) -> F.relu(self.gate(y))
