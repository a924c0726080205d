"""The command `attn start`, which creates a learner's folder or updates it to a newer version of the kit."""
