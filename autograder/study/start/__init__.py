"""`attn start`: a folder to learn in, and the same folder brought to a newer version of the kit."""
