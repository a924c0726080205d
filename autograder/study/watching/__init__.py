"""`attn watch`: saves and keys in, verdicts out."""
