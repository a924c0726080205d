# expect: block_state wrong
# told: You return 'attention.Wq.weight' where 'attention.Wk.weight' is expected.
# like: wrong_there_is_no_such_key_the.py
# edit: "attention.Wk": "self.key", -> "attention.Wk": "self.query",
# edit: .output. -> .attention.
