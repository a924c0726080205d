"""Small edits of code, one list for two uses: turned on an answer they find its mistake, on a solution they make one.

Each is a single change of the text, so that all else stays as it was written.
"""

from .edit import SmallEdit
from .listing import small_edits

__all__ = ["SmallEdit", "small_edits"]
