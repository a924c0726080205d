# expect: LlamaBlock wrong heads_in_turn
# like: ../llama_style.py
# edit: unsqueeze(-3).expand(*batch, heads, self.n_rep, -> unsqueeze(-4).expand(*batch, self.n_rep, heads,
