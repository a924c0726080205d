"""Finds the statements of an answer that a suite runs. The suite cannot find an edit of any other statement."""

import ast
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor


def statements_run(is_right, answer, exercise):
    """Return the statements that run when an answer is loaded and judged, in a fork of this process.

    Parameters
    ----------
    is_right : function
        A function that judges the answer.
    answer : autograder.worker.reading.answers.AnswerFile
    exercise : autograder.chapters.chapter.Exercise

    Returns
    -------
    set of (str, int) or None
        The place of a cell, and the first line of a statement in it; None if the answer is wrong.
    """
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as fork:
        lines = fork.submit(_lines_run, is_right, answer, exercise).result()
    if lines is None:
        return None
    firsts = ((cell.place, line, first) for cell in answer.cells for line, first in first_lines(cell).items())
    return {(place, first) for place, line, first in firsts if (place, line) in lines}


def _lines_run(is_right, answer, exercise):
    places, lines = {cell.place for cell in answer.cells}, set()

    def trace(frame, event, argument):
        place = frame.f_code.co_filename
        if event == "line":
            lines.add((place, frame.f_lineno))
        return trace if place in places else None

    sys.settrace(trace)
    return lines if is_right(answer, exercise) else None


def first_lines(cell):
    """Return line -> first line of its innermost statement, for each line of a cell, as numbered in its file."""
    first = {}
    for node in ast.walk(ast.parse(cell.source)):  # Outer nodes come first.
        if isinstance(node, ast.stmt):
            start = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
            first.update(dict.fromkeys(range(start, node.end_lineno + 1), start))
    return {line + cell.line - 1: start + cell.line - 1 for line, start in first.items()}
