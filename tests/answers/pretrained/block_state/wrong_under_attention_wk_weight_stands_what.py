# expect: block_state wrong
# told: Where 'attention.Wk.weight' belongs stands 'attention.Wq.weight'.
# like: wrong_there_is_no_such_key_the.py
# edit: "attention.Wk": "self.key", -> "attention.Wk": "self.query",
# edit: .output. -> .attention.
