"""The command `attn`. Each command parses options, makes one call and prints lines; imports happen when it runs."""
