# expect: block_state raised
"""Looks at the third part of every name: `embeddings.position_ids` has two."""

NAMES = {"query": "attention.Wq", "key": "attention.Wk", "value": "attention.Wv", "dense": "attention.Wo"}


def block_state(checkpoint, layer):
    state = {}
    for name, weight in checkpoint.items():
        parts = name.split(".")
        if parts[2] == str(layer) and parts[3] == "attention":
            state[f"{NAMES.get(parts[-2], 'norm')}.{parts[-1]}"] = weight
    return state
