"""What notebooks load: ``%load_ext attn``, and then ``%check``, ``%predict`` and ``%figure``."""

from autograder.study.notebook.magic import load_ipython_extension

__all__ = ["load_ipython_extension"]
