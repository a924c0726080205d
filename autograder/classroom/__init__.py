"""The classroom: nbgrader assignments from the chapters, and what comes back graded, returned and reported."""

import sys

# jsonschema, which nbformat needs, looks for a grammar of international addresses, and making that takes two seconds.
# No notebook has such an address: where nobody has imported jsonschema yet, it does without.
if "jsonschema" not in sys.modules:
    sys.modules.setdefault("rfc3987_syntax", None)
