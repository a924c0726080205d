# expect: block_state wrong
# plain: returned a dictionary without the key 'attention.Wq.weight'


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
