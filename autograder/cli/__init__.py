"""The command line `attn`. Each command parses options, makes one call and prints lines. It imports when it runs."""
