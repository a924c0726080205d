# expect: block_state wrong
# told: None of the expected keys is there: it holds 'encoder.layer.


def block_state(checkpoint, layer):
    state = {}
    for name, tensor in checkpoint.items():
        if f"layer.{layer}" in name and "attention" in name:
            state[
                name.replace("self.query", "Wq")
                .replace("self.key", "Wk")
                .replace("self.value", "Wv")
                .replace("output.dense", "Wo")
            ] = tensor
    return state
