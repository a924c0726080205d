"""The feedback page: nbgrader's own, with a table of the exercises in front, and fit for a phone."""

from pathlib import Path

from nbconvert.exporters import HTMLExporter
from traitlets import default

TEMPLATES = Path(__file__).parent / "templates"


class FeedbackPage(HTMLExporter):
    """What `nbgrader generate_feedback` writes with. Prose of a learner may hold HTML: of that, only what is harmless."""

    @default("template_file")
    def _template_file_default(self):
        return "feedback.html.j2"

    def _template_paths(self, prune=True, root_dirs=None):
        return [*super()._template_paths(prune, root_dirs), str(TEMPLATES)]
