"""The classroom: nbgrader assignments from the chapters, and submissions that are graded, returned and reported."""

import contextlib
import sys

# jsonschema, which nbformat needs, spends two seconds on a grammar of international addresses while it is imported. No
# notebook has such an address, and there is no setting, so it is imported once as if the grammar were missing.
if "jsonschema" not in sys.modules and "rfc3987_syntax" not in sys.modules:
    sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]  (how Python writes down that there is none)
    with contextlib.suppress(ImportError):  # elsewhere, as at Gradescope, nothing needs it
        import jsonschema  # noqa: F401
    del sys.modules["rfc3987_syntax"]
