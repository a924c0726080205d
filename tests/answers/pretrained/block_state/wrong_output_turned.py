# expect: block_state wrong output_matrix_transposed
"""On the idea that it leads back."""

NAMES = {"attention.Wq": "self.query", "attention.Wk": "self.key", "attention.Wv": "self.value"}
NAMES |= {"attention.Wo": "output.dense", "norm": "output.LayerNorm"}


def block_state(checkpoint, layer):
    root = f"encoder.layer.{layer}.attention."
    state = {f"{ours}.{end}": checkpoint[f"{root}{NAMES[ours]}.{end}"] for ours in NAMES for end in ("weight", "bias")}
    state["attention.Wo.weight"] = state["attention.Wo.weight"].T
    return state
