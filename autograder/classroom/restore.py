"""Repairs what learners hand in, before nbgrader's own steps see it."""

from collections import defaultdict

import nbformat
from nbconvert.exporters import NotebookExporter
from nbformat import v4
from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

UNREADABLE = "attn_unreadable"  # notebook metadata, from the reader to the grader


class AnswerReader(NotebookExporter):
    """Reads a notebook whatever state it is in; one that cannot be read becomes an empty one that says so.

    Of each cell its type, its text and nbgrader's marks are kept. Outputs, widgets and other metadata are the
    learner's to forge, and nothing here needs them.
    """

    def from_file(self, file_stream, resources=None, **options):
        try:
            read = nbformat.reads(file_stream.read().lstrip("\N{ZERO WIDTH NO-BREAK SPACE}"), as_version=4)
            notebook = v4.new_notebook(cells=[_bare(cell) for cell in read.cells])
            if UNREADABLE in read.metadata:
                notebook.metadata[UNREADABLE] = True
        except Exception as error:  # whatever a broken file makes nbformat raise
            self.log.warning("The notebook cannot be read: %s", error)
            notebook = v4.new_notebook(metadata={UNREADABLE: True})
        return self.from_notebook_node(notebook, resources, **options)


def _bare(cell):
    new = v4.new_code_cell if cell.cell_type == "code" else v4.new_markdown_cell
    # Half a character pair is legal JSON but cannot be written to a file.
    bare = new(cell.source.encode("utf-8", "replace").decode("utf-8"))
    marks = cell.metadata.get("nbgrader")
    if isinstance(marks, dict) and isinstance(marks.get("grade_id"), str):
        bare.metadata["nbgrader"] = marks
    return bare


class RestoreCells(NbGraderPreprocessor):
    """Gives each cell the marks it was released with.

    Cells come back duplicated, moved, retitled, without metadata, or not at all. nbgrader alone stops the whole
    run at some of these, and gives no score for a grade cell that is missing.
    """

    def preprocess(self, nb, resources):
        place = resources["nbgrader"]
        with Gradebook(place["db_url"]) as gradebook:
            released = gradebook.find_notebook(place["notebook"], place["assignment"])
            points = {cell.name: cell.max_score for cell in released.grade_cells}
            solutions = {cell.name for cell in released.solution_cells}
            given = {cell.name: cell for cell in released.source_cells}
            nb.cells = _restored(nb.cells, given, points, solutions)
        return nb, resources


def _restored(cells, given, points, solutions):
    """The cells with exactly one marked cell for each name; missing grade cells come back, other copies go or stay."""
    name_of_text = {cell.source.strip(): name for name, cell in given.items() if cell.locked}
    copies = defaultdict(list)
    for cell in cells:
        marks = cell.metadata.pop("nbgrader", {})
        name = name_of_text.get(cell.source.strip(), marks.get("grade_id"))
        # nbgrader turns an answer that became Markdown back into code; what is given never changes its type.
        if name in given and (name in solutions or cell.cell_type == given[name].cell_type):
            copies[name].append(cell)
    gone = set()
    for name, found in copies.items():
        # Among copies, the answer is one that was worked on; what is given is one that was not.
        fitting = [cell for cell in found if (cell.source != given[name].source) == (name in solutions)]
        chosen = (fitting or found)[-1]
        chosen.metadata["nbgrader"] = _marks(given[name], points, solutions)
        # An untouched copy of what is given is no work of the learner; every other one is left as an ordinary cell.
        gone |= {id(c) for c in found if c is not chosen and c in fitting and name not in solutions}
    kept = [cell for cell in cells if id(cell) not in gone]
    for name in points:
        if name not in copies:
            missing = v4.new_code_cell(given[name].source)
            missing.metadata["nbgrader"] = _marks(given[name], points, solutions)
            kept.append(missing)
    return kept


def _marks(cell, points, solutions):
    marks = {
        "schema_version": 3,
        "grade_id": cell.name,
        "grade": cell.name in points,
        "solution": cell.name in solutions,
        "locked": cell.locked,
        "task": False,
        "cell_type": cell.cell_type,
        "checksum": cell.checksum,
    }
    return marks | ({"points": points[cell.name]} if cell.name in points else {})
