"""Grades answers to the attention exercises and says which mistake was made."""
