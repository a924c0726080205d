"""The command line `attn`. Each command imports what it needs, parses options, makes one call and prints lines."""
