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
"""The query's weights are under `Wk` and the key's under `Wq`. All shapes are alike, so nothing complains.

Compare each line of the table in the text with your names.

`self.query` should go to `Wq`, and `self.key` to `Wk`.
"""

key_and_value_swapped = {
    """
        "attention.Wk": "self.key",
        "attention.Wv": "self.value",
    """: """
        "attention.Wk": "self.value",
        "attention.Wv": "self.key",
    """
}
"""The key's weights are under `Wv` and the value's under `Wk`. All shapes are alike, so nothing complains.

Compare each line of the table in the text with your names.

`self.key` should go to `Wk`, and `self.value` to `Wv`.
"""

value_and_output_swapped = {
    """
        "attention.Wv": "self.value",
        "attention.Wo": "output.dense",
    """: """
        "attention.Wv": "output.dense",
        "attention.Wo": "self.value",
    """
}
"""The value's weights are under `Wo`, and those of `output.dense` under `Wv`. All shapes are alike, so nothing
complains.

Compare each line of the table in the text with your names.

`self.value` should go to `Wv`, and `output.dense` to `Wo`.
"""

norm_put_into_the_attention = {'"norm":': '"attention.norm":'}
"""The norm is named as a part of the attention. Its numbers are right.

Print the names in `block.state_dict()` beside those of your result.

The norm should be named as a part of the block, beside the attention.
"""

matrices_transposed = {'.attention.{theirs}.{part}"]': '.attention.{theirs}.{part}"].t()'}
"""The matrices are transposed; being square, they fit all the same. Checkpoints of some other models do hold them the
other way round.

Compare one matrix of your result with the same one in the checkpoint.

The matrices should stay as they are: they are in the order of `nn.Linear`.
"""

always_the_first_layer = {"{layer}": "0"}
"""Every layer gets the weights of layer 0. For layer 0 that is right.

Ask for layers 0 and 1, and compare the results.

The weights should be those of the layer that is asked for.
"""

counted_from_one = {"{layer}": "{layer + 1}"}
"""Each layer gets the weights of the next one, as if the checkpoint counted from 1.

Ask for layer 0, and look up what the file calls it.

Layers should be counted from 0, here and in the file.
"""

last_layer_that_begins_alike = {
    'checkpoint[f"encoder.layer.{layer}.attention.{theirs}.{part}"]': """
        next(
            checkpoint[name]
            for name in reversed(checkpoint)
            if f"layer.{layer}" in name and name.endswith(f".attention.{theirs}.{part}")
        )
    """
}
"""Layer 1 gets the weights of layer 11, or of another layer whose name begins alike. In a model of up to ten layers
nothing shows.

Does `"encoder.layer.1"` stand in `"encoder.layer.11.attention"`?

The weights should be those under the whole name of the layer.
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
"""The norm is that of the feed-forward part, which has the same shape.

Print all names of the layer that contain `LayerNorm`. Which of them comes after the attention?

The norm should be the one under `attention.output`.
"""

output_of_the_feed_forward_part = {
    'checkpoint[f"encoder.layer.{layer}.attention.{theirs}.{part}"]': """
        checkpoint[f"encoder.layer.{layer}.{theirs}.{part}"]
    """,
    '"self.query"': '"attention.self.query"',
    '"self.key"': '"attention.self.key"',
    '"self.value"': '"attention.self.value"',
    '"output.LayerNorm"': '"attention.output.LayerNorm"',
}
"""`Wo` has the last layer of the feed-forward part.

Print all names of the layer that contain `output.dense`. Which of them belongs to the attention?

`Wo` should have the one under `attention.output`.
"""

biases_forgotten = {'("weight", "bias")': '("weight",)'}
"""Only the weights are there, and no biases.

How many names has the table in the text, counted with both parts?

Every layer, the norm among them, should have its weight and its bias.
"""

norm_forgotten = {'"norm": "output.LayerNorm",': ""}
"""The four layers of the attention are there, but not the norm.

How many names has the table in the text, counted with both parts?

The norm should be there, too: it was trained like the rest.
"""

names_of_the_checkpoint_kept = {"{mine}.{part}": "{theirs}.{part}"}
"""The tensors are the right ones, but under the last parts of the checkpoint's names, which the block does not know.

Print the names in `block.state_dict()` beside those of your result.

The names should be those of the block.
"""

only_picked_out = {"{mine}.{part}": "encoder.layer.{layer}.attention.{theirs}.{part}"}
"""The tensors are the right ones, but under their full names in the checkpoint.

Print the names in `block.state_dict()` beside those of your result.

The names should be those of the block.
"""

attention_left_out_of_the_names = {'f"{mine}.{part}"': "f\"{mine.removeprefix('attention.')}.{part}\""}
"""The names are those inside `MultiHeadAttention`, without the name that it has in the block.

Print the names in `block.state_dict()` beside those of your result.

The names should be those of the block, such as `attention.Wq.weight`.
"""

everything_returned = {"return {": "return checkpoint | {"}
"""The whole checkpoint comes back, with the names of the block added.

Print the number of names in your result.

Only the ten names of the block should come back.
"""

taken_out_of_the_checkpoint = {
    'checkpoint[f"encoder.layer.{layer}.attention.{theirs}.{part}"]': """
        checkpoint.pop(f"encoder.layer.{layer}.attention.{theirs}.{part}")
    """
}
"""The result is right, but after the call its tensors are gone from the checkpoint.

Print the length of the checkpoint before and after the call.

The call should leave its arguments as they are: looking up only reads.
"""

not_returned = {"return {": "_ = {"}
