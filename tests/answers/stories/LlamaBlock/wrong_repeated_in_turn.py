# expect: LlamaBlock wrong key_heads_alternate
# like: ../llama_style.py
# edit: unsqueeze(-3).expand(*batch, heads, self.n_rep, -> unsqueeze(-4).expand(*batch, self.n_rep, heads,
