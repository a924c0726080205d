"""The classroom: nbgrader assignments from the chapters, and what comes back graded, returned and reported."""

import contextlib
import sys

# jsonschema, which nbformat needs, looks for a grammar of international addresses while it is imported, and making that
# takes two seconds. No notebook has such an address, and no setting says so: it is imported once as if there were none.
if "jsonschema" not in sys.modules and "rfc3987_syntax" not in sys.modules:
    sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]  (how Python writes down that there is none)
    with contextlib.suppress(ImportError):  # elsewhere, as at Gradescope, nothing needs it
        import jsonschema  # noqa: F401
    del sys.modules["rfc3987_syntax"]
