# expect: block_state wrong
# told: Where 'attention.Wk.weight' belongs stands 'attention.Wq.weight'.


def block_state(checkpoint, layer):
    names = {
        "attention.Wq": "self.query",
        "attention.Wk": "self.query",
        "attention.Wv": "self.value",
        "attention.Wo": "output.dense",
        "norm": "output.LayerNorm",
    }
    return {
        f"{mine}.{part}": checkpoint[f"encoder.layer.{layer}.attention.{theirs}.{part}"]
        for mine, theirs in names.items()
        for part in ("weight", "bias")
    }
