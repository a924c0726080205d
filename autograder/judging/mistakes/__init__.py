"""Known mistakes, read from their files."""
