"""An autograder for the attention exercises, which also says which mistake was made."""
