# expect: LlamaBlock wrong biases
# like: ../parts.py
# edit: nn.Linear(d_hidden, d_model, bias=False) -> nn.Linear(d_hidden, d_model)
