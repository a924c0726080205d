"""``python -m attn``: the same as ``attn``, where the shell does not find that."""

from autograder.cli.main import main

main()
