"""The command `attn watch`, which judges answers when they are saved and reacts to single keys."""
