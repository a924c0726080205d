"""The command `attn`: options in, one call, lines out. It imports what a command needs when it runs."""
