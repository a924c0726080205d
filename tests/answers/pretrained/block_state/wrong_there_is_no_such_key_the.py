# expect: block_state raised
# told: There is no such key.


def block_state(checkpoint, layer):
    names = {
        "attention.Wq": "self.query",
        "attention.Wk": "self.key",
        "attention.Wv": "self.value",
        "attention.Wo": "output.dense",
        "norm": "output.LayerNorm",
    }
    return {
        f"{mine}.{part}": checkpoint[f"encoder.layer.{layer}.output.{theirs}.{part}"]
        for mine, theirs in names.items()
        for part in ("weight", "bias")
    }
