"""`attn start`: makes a folder to learn in, or updates it to a newer version of the kit."""
