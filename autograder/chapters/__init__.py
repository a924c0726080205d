"""The one source, and answers to it: files, cells and names. Nothing of it is run here."""
