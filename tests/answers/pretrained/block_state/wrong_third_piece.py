# expect: block_state raised part_of_every_name_read_as_a_number


def block_state(checkpoint, layer):
    names = {"query": "attention.Wq", "key": "attention.Wk", "value": "attention.Wv", "dense": "attention.Wo"}
    names["LayerNorm"] = "norm"
    state = {}
    for name, tensor in checkpoint.items():
        pieces = name.split(".")
        number = int(pieces[2])
        if number == layer and pieces[3] == "attention":
            state[f"{names[pieces[5]]}.{pieces[6]}"] = tensor
    return state
