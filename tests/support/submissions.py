"""Submissions: each function makes one from a released notebook, and its name is that of the student."""

import json

import nbformat
from nbformat import v4

from autograder.chapters import curriculum
from support.course import EXERCISES, cell_of, change, solved

# Correct ----------------------------------------------------------------------------------------------------------


def noisy(notebook):
    notebook = solved(notebook)
    loud = "import sys, warnings\nprint('note', file=sys.stderr)\nwarnings.warn('careful')"
    notebook.cells.insert(0, v4.new_code_cell(loud))
    change(notebook, "softmax", "exponentials = ", "print('max', scores.max(), file=sys.stderr); exponentials = ")
    change(notebook, "attend", "weights = softmax", "print('here'); warnings.warn('again'); weights = softmax")
    return notebook


def duplicated(notebook):
    marks = [cell.metadata.get("nbgrader", {}) for cell in notebook.cells]
    copies = [cell for cell, its in zip(notebook.cells, marks, strict=True) if its.get("solution") or its.get("grade")]
    notebook = solved(notebook)
    notebook.cells += copies
    for number, cell in enumerate(notebook.cells):
        cell.id = f"moved-{number}"
    return notebook


def duplicated_and_moved(notebook):
    once = len(notebook.cells)
    notebook = duplicated(notebook)
    notebook.cells[:once] = reversed(notebook.cells[:once])
    return notebook


def deleted(notebook):
    notebook = solved(notebook)
    notebook.cells = [cell for cell in notebook.cells if cell.id not in ("softmax", "attend", "given-00")]
    return notebook


def retitled(notebook):
    notebook = solved(notebook)
    cell_of(notebook, "softmax").metadata.nbgrader["grade_id"] = "my own title"
    cell_of(notebook, "attend").metadata.nbgrader["grade_id"] = "apply_attention_scores"
    cell_of(notebook, "attend-answer").metadata.nbgrader["grade_id"] = "given-00"
    cell_of(notebook, "given-00").source = "# My title"
    return notebook


def magics(notebook):
    notebook = solved(notebook)
    notebook.cells.insert(0, v4.new_code_cell("%matplotlib inline\n!ls\n?np.dot"))
    notebook.cells.insert(1, v4.new_code_cell("%%bash\necho hello"))
    cell = cell_of(notebook, "softmax-answer")
    cell.source = f"%%time\n{cell.source}\nimport asyncio\nawait asyncio.sleep(0)"
    change(notebook, "attend", "weights = softmax", "%time\n    weights = softmax")
    return notebook


def changed_given(notebook):
    """Return an answer that uses the package `given`. `FILES` adds a changed `given` that would break it."""
    notebook = solved(notebook)
    used = "from given import SMALL_GLOVE\nfrom given.corpora import EMBED_A"
    cell_of(notebook, "tokenize-answer").source += f"\n\n\n{used}"
    change(notebook, "sentence_embed", "return ", "assert EMBED_A['is'] and SMALL_GLOVE.exists()\n    return ")
    return notebook


def from_colab(notebook):
    """Return the notebook as Colab saves it: with different metadata, without cell IDs, in an older minor version."""
    notebook = solved(notebook)
    for number, cell in enumerate(notebook.cells):
        cell.metadata = {"id": f"Ab{number}", "colab": {"base_uri": "https://localhost:8080/"}}
        del cell["id"]
    notebook.metadata = {"colab": {"provenance": []}, "kernelspec": {"name": "python3", "display_name": "Python 3"}}
    notebook.nbformat_minor = 0
    return json.dumps(notebook)


def from_vs_code(notebook):
    """Return the notebook as VS Code saves it if it was opened as text: without metadata, with separate lines."""
    notebook = solved(notebook)
    cells = [{"cell_type": c.cell_type, "metadata": {}, "source": c.source.splitlines(True)} for c in notebook.cells]
    return json.dumps(
        {"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 2}
    )


def fifty_megabytes(notebook):
    """Return an answer that prints in a loop, saved with its output."""
    notebook = solved(notebook)
    cell = cell_of(notebook, "tokenize-answer")
    cell.outputs = [v4.new_output("stream", name="stdout", text="the same line again\n" * 2_600_000)]
    return notebook


def as_script(notebook):
    code = [cell.source for cell in solved(notebook).cells if cell.cell_type == "code"]
    return "\n\n# %%\n".join(code)


def renamed(notebook):
    return solved(notebook)


def empty(notebook):
    return ""


def a_picture(notebook):
    return "%PDF-1.7 not a notebook"


CHANGED = "raise SystemExit('changed')"
# Student -> name of the submitted file, if it differs from the chapter's.
NAMES = {
    "as_script": "embeddings.py",
    "renamed": "Embeddings - Copy (1).ipynb",
    "from_colab": "embeddings.ipynb.txt",
    "a_picture": "photo.pdf",
}
FILES = {"changed_given": {"given/__init__.py": CHANGED, "given/corpora.py": CHANGED, "given/mine.py": CHANGED}}


# Wrong ------------------------------------------------------------------------------------------------------------

# Exercise -> (edit of its solution, misconception that results).
MISTAKES = {
    "softmax": ("scores - scores.max()", "scores", "no_maximum_subtracted"),
    "calculate_attention_vector": ("axis=1", "axis=0", "summed_over_hidden_units"),
    "plot_attention": ("np.asarray(attn_matrix)", "np.asarray(attn_matrix).T", "matrix_transposed"),
    "MultiHeadAttention": ("math.sqrt(k.shape[-1])", "math.sqrt(queries.shape[-1])", "scaled_by_d_model"),
}


def wrong(notebook):
    notebook = solved(notebook)
    for exercise in _exercises_of(notebook):
        if exercise in MISTAKES:
            change(notebook, exercise, *MISTAKES[exercise][:2])
    return notebook


def nonsense(notebook):
    notebook = solved(notebook)
    change(notebook, "normalize_by_sum", "return scores / scores.sum()", "return '<b>&nonsense</b>'")
    return notebook


def banned(notebook):
    notebook = solved(notebook)
    own = "self.num_heads = num_heads"
    change(notebook, "MultiHeadAttention", own, f"self.its = nn.MultiheadAttention(d_model, num_heads); {own}")
    change(notebook, "MultiHeadAttention", "q = split", "return self.its(queries, keys, values)\n        q = split")
    return notebook


def untouched(notebook):
    return notebook


def unreadable(notebook):
    return nbformat.writes(notebook)[:5000]


# Hostile ----------------------------------------------------------------------------------------------------------

FORGED = v4.new_output("execute_result", {"text/plain": "99.0", "text/html": "<script>steal()</script>"})
TAMPER = """\
print('8.0')  # \ud800
always = lambda *a, **k: True
import numpy as np
np.allclose = np.array_equal = np.testing.assert_allclose = always
"""

# Exercise -> (edit of its solution, text that the learner reads). No attack gets points.
ATTACKS = {
    "softmax": ("scores = np.asarray", "import os; os._exit(0)\n    scores = np.asarray", "ended its own process"),
    "attend": ("weights = softmax", "print(6.0)\n    __import__('time').sleep(99)\n    weights = softmax", "seconds"),
    "dot_attention_score": ("return ", "return 1 + ", "expected"),
}


def hostile(notebook):
    notebook = solved(notebook)
    notebook.cells.insert(0, v4.new_code_cell(TAMPER, outputs=[FORGED]))
    for exercise in _exercises_of(notebook):
        if exercise in ATTACKS:
            change(notebook, exercise, *ATTACKS[exercise][:2])
        grade_cell = cell_of(notebook, exercise)
        grade_cell.outputs, grade_cell.source = [FORGED], "99.0"
        grade_cell.metadata.nbgrader["points"] = 99
    first = next(iter(_exercises_of(notebook)))
    cell_of(notebook, first).metadata.nbgrader = {"schema_version": 1, "grade_id": first}
    return notebook


def _exercises_of(notebook):
    return [cell.id for cell in notebook.cells if cell.id in EXERCISES]


# Students and their submissions -----------------------------------------------------------------------------------

RIGHT = dict.fromkeys(curriculum.CHAPTERS, (solved,)) | {
    "one_query": (solved, noisy, duplicated_and_moved, deleted, retitled, magics),
    "embeddings": (
        solved,
        changed_given,
        from_colab,
        from_vs_code,
        fifty_megabytes,
        as_script,
        renamed,
    ),
    "multi_head": (solved, duplicated),
}
OTHERS = dict.fromkeys(curriculum.CHAPTERS, (untouched,)) | {
    "one_query": (untouched, wrong, nonsense, hostile, unreadable),
    "embeddings": (untouched, wrong, empty, a_picture),
    "multi_head": (untouched, wrong, banned),
}
SUBMISSIONS = [(chapter, write) for who in (RIGHT, OTHERS) for chapter, all_of in who.items() for write in all_of]


def cases(write):
    return [chapter for chapter, each in SUBMISSIONS if each is write]
