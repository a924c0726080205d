"""`attn watch`: it reacts to saves and keys, and shows verdicts."""
