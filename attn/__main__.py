"""``python -m attn``: the same as the command ``attn``, for shells that do not find it."""

from autograder.cli.main import main

main()
