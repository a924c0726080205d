# expect: block_state wrong first_layer_that_begins_alike


def block_state(checkpoint, layer):
    theirs = ["self.query", "self.key", "self.value", "output.dense", "output.LayerNorm"]
    mine = ["attention.Wq", "attention.Wk", "attention.Wv", "attention.Wo", "norm"]
    state = {}
    for name, tensor in checkpoint.items():
        for old, new in zip(theirs, mine, strict=True):
            if name.startswith(f"encoder.layer.{layer}") and f".attention.{old}." in name:
                state.setdefault(f"{new}.{name.rsplit('.', 1)[1]}", tensor)
    return state
