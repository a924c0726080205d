"""The feedback page: nbgrader's own, with a table of the exercises in front, and fit for a phone."""

from pathlib import Path

from nbconvert.exporters import HTMLExporter
from traitlets import default

TEMPLATES = Path(__file__).parent / "templates"


class FeedbackPage(HTMLExporter):
    """What `nbgrader generate_feedback` writes with."""

    @default("template_file")
    def _template_file_default(self):
        return "feedback.html.j2"

    @default("template_paths")
    def _with_ours(self):
        return [*self._template_paths(), str(TEMPLATES)]
