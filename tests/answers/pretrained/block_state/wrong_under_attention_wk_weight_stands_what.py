# expect: block_state wrong
# told: You return 'attention.Wq.weight' in the place of 'attention.Wk.weight'.
# like: wrong_there_is_no_such_key_the.py
# edit: "attention.Wk": "self.key", -> "attention.Wk": "self.query",
# edit: .output. -> .attention.
