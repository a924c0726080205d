# expect: block_state wrong last_layer_that_begins_alike


def block_state(checkpoint, layer):
    parts = {"query": "attention.Wq", "key": "attention.Wk", "value": "attention.Wv"}
    names = {f"self.{part}": name for part, name in parts.items()}
    names |= {"output.dense": "attention.Wo", "output.LayerNorm": "norm"}
    state = {}
    for name, tensor in checkpoint.items():
        for theirs, mine in names.items():
            if f"{layer}.attention.{theirs}." in name:
                state[f"{mine}.{name.split('.')[-1]}"] = tensor
    return state
