"""Mistakes seen in answers to block_state."""

query_and_key_swapped = {
    """
        "attention.Wq": "self.query",
        "attention.Wk": "self.key",
    """: """
        "attention.Wq": "self.key",
        "attention.Wk": "self.query",
    """
}
"""The query's weights went to `Wk` and the key's to `Wq`: the shapes are alike, so that only the sense is lost."""

key_and_value_swapped = {
    """
        "attention.Wk": "self.key",
        "attention.Wv": "self.value",
    """: """
        "attention.Wk": "self.value",
        "attention.Wv": "self.key",
    """
}
"""The key's weights went to `Wv` and the value's to `Wk`: all shapes fit, and only the sense is lost."""

value_and_output_swapped = {
    """
        "attention.Wv": "self.value",
        "attention.Wo": "output.dense",
    """: """
        "attention.Wv": "output.dense",
        "attention.Wo": "self.value",
    """
}
"""The value's weights went to `Wo` and those of `output.dense` to `Wv`: all shapes fit, and the sense is lost."""

norm_put_into_the_attention = {'"norm":': '"attention.norm":'}
"""The norm is named `attention.norm`: it belongs to the block, beside the attention, as `norm`."""

matrices_transposed = {'.attention.{theirs}.{part}"]': '.attention.{theirs}.{part}"].t()'}
"""The matrices were transposed, and being square they fit all the same: here they are in the order of `nn.Linear`.

Checkpoints of other models may hold them the other way round; compare one output before you believe either.
"""

always_the_first_layer = {"{layer}": "0"}
"""Every layer gets the weights of layer 0: the number of the layer has to be part of the name looked up."""

counted_from_one = {"{layer}": "{layer + 1}"}
"""Layer 0 is taken for layer 1: both the argument and the names of the checkpoint count from 0."""

last_layer_that_begins_alike = {
    'checkpoint[f"encoder.layer.{layer}.attention.{theirs}.{part}"]': """
        next(
            checkpoint[name]
            for name in reversed(checkpoint)
            if f"layer.{layer}" in name and name.endswith(f".attention.{theirs}.{part}")
        )
    """
}
"""Names are searched by their beginning or a part of them, and `layer.1` is the beginning of `layer.10`, too.

Make the whole name, and look it up.
"""

norm_of_the_feed_forward_part = {
    'checkpoint[f"encoder.layer.{layer}.attention.{theirs}.{part}"]': """
        checkpoint[f"encoder.layer.{layer}.{theirs}.{part}"]
    """,
    '"self.query"': '"attention.self.query"',
    '"self.key"': '"attention.self.key"',
    '"self.value"': '"attention.self.value"',
    '"output.dense"': '"attention.output.dense"',
}
"""The norm is that of the feed-forward part, which has the same shape: yours stands under `attention.output`."""

output_of_the_feed_forward_part = {
    'checkpoint[f"encoder.layer.{layer}.attention.{theirs}.{part}"]': """
        checkpoint[f"encoder.layer.{layer}.{theirs}.{part}"]
    """,
    '"self.query"': '"attention.self.query"',
    '"self.key"': '"attention.self.key"',
    '"self.value"': '"attention.self.value"',
    '"output.LayerNorm"': '"attention.output.LayerNorm"',
}
"""`Wo` got the last layer of the feed-forward part: the one of attention stands under `attention.output`."""

biases_forgotten = {'("weight", "bias")': '("weight",)'}
"""The biases are missing: every layer, the norm among them, has a weight and a bias."""

norm_forgotten = {'"norm": "output.LayerNorm",': ""}
"""The norm is missing: it belongs to the block, and was trained like the rest."""

names_of_the_checkpoint_kept = {"{mine}.{part}": "{theirs}.{part}"}
"""The tensors are the right ones, but still under the checkpoint's names, which your block does not know."""

only_picked_out = {"{mine}.{part}": "encoder.layer.{layer}.attention.{theirs}.{part}"}
"""The layer's tensors were picked out, but under their full names: they need those of your block."""

attention_left_out_of_the_names = {'f"{mine}.{part}"': "f\"{mine.removeprefix('attention.')}.{part}\""}
"""The names are those inside `MultiHeadAttention`, which is `attention` in the block: `attention.Wq.weight`."""

everything_returned = {"return {": "return checkpoint | {"}
"""The whole checkpoint came back with the ten names added: a block takes its ten names and no others."""

taken_out_of_the_checkpoint = {
    'checkpoint[f"encoder.layer.{layer}.attention.{theirs}.{part}"]': """
        checkpoint.pop(f"encoder.layer.{layer}.attention.{theirs}.{part}")
    """
}
"""The weights were taken out of the checkpoint, which is gone for whoever needs it next: look up, do not `pop`."""

not_returned = {"return {": "_ = {"}
