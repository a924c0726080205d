"""The feedback page: nbgrader's own, with a table of the exercises in front, and fit for a phone."""

import functools
from pathlib import Path

from jinja2 import pass_context
from nbconvert.exporters import HTMLExporter
from nbconvert.filters import Highlight2HTML
from nbconvert.filters.widgetsdatatypefilter import WidgetsDataTypeFilter
from traitlets import default

from autograder.classroom.feedback.formulas import with_formulas_drawn

TEMPLATES = Path(__file__).parents[1] / "templates"
REMEMBERED = 500  # cells whose HTML is kept: what is given is the same on every learner's page

_prose = {}


class FeedbackPage(HTMLExporter):
    """What `nbgrader generate_feedback` writes with."""

    def from_notebook_node(self, nb, resources=None, **options):
        """As HTMLExporter does it, without parsing the page again: that describes pictures, and here each is."""
        resources = self._init_resources(resources)
        widgets = WidgetsDataTypeFilter(notebook_metadata=self._nb_metadata, parent=self, resources=resources)
        self.register_filter("filter_data_type", widgets)
        self.register_filter("highlight_code", _highlighted)
        return super(HTMLExporter, self).from_notebook_node(nb, resources, **options)

    @pass_context
    def markdown2html(self, context, source):
        """Prose as HTML, remembered; formulas in what is given are drawn."""
        cell = context.get("cell")  # a comment has none
        is_given = bool(cell) and cell.metadata.get("nbgrader", {}).get("locked", False)
        key = source, is_given
        if key not in _prose:
            if len(_prose) == REMEMBERED:
                _prose.clear()
            _prose[key] = super().markdown2html(context, with_formulas_drawn(source) if is_given else source)
        return _prose[key]

    @default("template_file")
    def _template_file_default(self):
        return "feedback.html.j2"

    @default("template_paths")
    def _with_ours(self):
        return [str(TEMPLATES), *self._template_paths()]  # first, for the templates that ours stand in for


@functools.lru_cache(maxsize=REMEMBERED)
def _highlight(source, language):
    return Highlight2HTML()(source, language)


def _highlighted(source, language=None, metadata=None):
    """Code as HTML, remembered."""
    return _highlight(source, language)
