"""The classroom: nbgrader assignments from the chapters, and submissions that are graded, returned and reported."""

import contextlib
import sys

# nbformat imports jsonschema, which spends two seconds on a grammar of international web addresses. No notebook needs
# the grammar, and jsonschema has no setting for it, so it is imported here as if the grammar were not installed.
if "jsonschema" not in sys.modules and "rfc3987_syntax" not in sys.modules:
    sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]  (marks it as missing)
    with contextlib.suppress(ImportError):  # In a Gradescope container, jsonschema is not installed and not needed.
        import jsonschema  # noqa: F401
    del sys.modules["rfc3987_syntax"]
