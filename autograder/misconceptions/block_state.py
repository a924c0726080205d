"""Mistakes seen in answers to block_state."""

_NAMES = {
    "attention.Wq": "self.query",
    "attention.Wk": "self.key",
    "attention.Wv": "self.value",
    "attention.Wo": "output.dense",
    "norm": "output.LayerNorm",
}


def _state(checkpoint, layer, names=_NAMES, parts=("weight", "bias")):
    return {
        f"{mine}.{part}": checkpoint[f"encoder.layer.{layer}.attention.{theirs}.{part}"]
        for mine, theirs in names.items()
        for part in parts
    }


def query_and_key_swapped(checkpoint, layer):
    """The query's weights went to `Wk` and the key's to `Wq`: the shapes are alike, so that only the sense is lost."""
    return _state(checkpoint, layer, _NAMES | {"attention.Wq": "self.key", "attention.Wk": "self.query"})


def key_and_value_swapped(checkpoint, layer):
    """The key's weights went to `Wv` and the value's to `Wk`: all shapes fit, and only the sense is lost."""
    return _state(checkpoint, layer, _NAMES | {"attention.Wk": "self.value", "attention.Wv": "self.key"})


def value_and_output_swapped(checkpoint, layer):
    """The value's weights went to `Wo` and those of `output.dense` to `Wv`: all shapes fit, and the sense is lost."""
    return _state(checkpoint, layer, _NAMES | {"attention.Wv": "output.dense", "attention.Wo": "self.value"})


def norm_put_into_the_attention(checkpoint, layer):
    """The norm is named `attention.norm`: it belongs to the block, beside the attention, as `norm`."""
    names = {("attention.norm" if mine == "norm" else mine): theirs for mine, theirs in _NAMES.items()}
    return _state(checkpoint, layer, names)


def matrices_transposed(checkpoint, layer):
    """The matrices were transposed, and being square they fit all the same: here they are in the order of `nn.Linear`.

    Checkpoints of other models may hold them the other way round; compare one output before you believe either.
    """
    return {name: each.T if each.ndim == 2 else each for name, each in _state(checkpoint, layer).items()}


def always_the_first_layer(checkpoint, layer):
    """Every layer gets the weights of layer 0: the number of the layer has to be part of the name looked up."""
    return _state(checkpoint, 0)


def counted_from_one(checkpoint, layer):
    """Layer 0 is taken for layer 1: both the argument and the names of the checkpoint count from 0."""
    return _state(checkpoint, layer + 1)


def last_layer_that_begins_alike(checkpoint, layer):
    """Names are searched by their beginning or a part of them, and `layer.1` is the beginning of `layer.10`, too.

    Make the whole name, and look it up.
    """
    return {
        f"{mine}.{part}": next(
            checkpoint[name]
            for name in reversed(checkpoint)
            if f"layer.{layer}" in name and name.endswith(f".attention.{theirs}.{part}")
        )
        for mine, theirs in _NAMES.items()
        for part in ("weight", "bias")
    }


def norm_of_the_feed_forward_part(checkpoint, layer):
    """The norm is that of the feed-forward part, which has the same shape: yours stands under `attention.output`."""
    start = f"encoder.layer.{layer}.output.LayerNorm"
    norm = {f"norm.{part}": checkpoint[f"{start}.{part}"] for part in ("weight", "bias")}
    return _state(checkpoint, layer) | norm


def output_of_the_feed_forward_part(checkpoint, layer):
    """`Wo` got the last layer of the feed-forward part: the one of attention stands under `attention.output`."""
    start = f"encoder.layer.{layer}.output.dense"
    dense = {f"attention.Wo.{part}": checkpoint[f"{start}.{part}"] for part in ("weight", "bias")}
    return _state(checkpoint, layer) | dense


def biases_forgotten(checkpoint, layer):
    """The biases are missing: every layer, the norm among them, has a weight and a bias."""
    return _state(checkpoint, layer, parts=("weight",))


def norm_forgotten(checkpoint, layer):
    """The norm is missing: it belongs to the block, and was trained like the rest."""
    return _state(checkpoint, layer, {mine: theirs for mine, theirs in _NAMES.items() if mine != "norm"})


def names_of_the_checkpoint_kept(checkpoint, layer):
    """The tensors are the right ones, but still under the checkpoint's names, which your block does not know."""
    return _state(checkpoint, layer, {theirs: theirs for theirs in _NAMES.values()})


def only_picked_out(checkpoint, layer):
    """The layer's tensors were picked out, but under their full names: they need those of your block."""
    start = f"encoder.layer.{layer}.attention."
    return {name: each for name, each in checkpoint.items() if name.startswith(start)}


def attention_left_out_of_the_names(checkpoint, layer):
    """The names are those inside `MultiHeadAttention`, which is `attention` in the block: `attention.Wq.weight`."""
    return {name.removeprefix("attention."): each for name, each in _state(checkpoint, layer).items()}


def everything_returned(checkpoint, layer):
    """The whole checkpoint came back with the ten names added: a block takes its ten names and no others."""
    return checkpoint | _state(checkpoint, layer)


def taken_out_of_the_checkpoint(checkpoint, layer):
    """The weights were taken out of the checkpoint, which is gone for whoever needs it next: look up, do not `pop`."""
    state = _state(checkpoint, layer)
    for theirs in _NAMES.values():
        for part in ("weight", "bias"):
            checkpoint.pop(f"encoder.layer.{layer}.attention.{theirs}.{part}")
    return state


def not_returned(checkpoint, layer):
    """The dictionary may have been made, but the function does not hand it back: it needs a `return`."""
    _state(checkpoint, layer)
