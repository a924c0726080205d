"""A sentence or two on what a wrong result has to do with the expected one, with the arguments and with other results.

An observation, for every exercise and without anything that its author wrote. It is no verdict: it says what the
numbers show, not why.
"""

import ast

import numpy as np

from autograder.judging import two_mistakes
from autograder.judging.observe import arguments, between, modules, numbers, pictures, results, words
from autograder.worker.reading.definitions import definition_in

_RELATIONS = (  # the first that says something is heard: the last ones are vague, or dear
    between.one_result_for_all,
    between.another_each_time,
    two_mistakes.of_two_mistakes,
    results.of_results,
    modules.of_parameters,
    results.of_exchanged_shapes,
    results.of_form,
    words.of_words,
    results.of_dictionaries,
    between.of_a_default,
    numbers.of_arrays,
    between.of_nan,
    numbers.of_another_exercise,
    arguments.of_other_arguments,
    numbers.of_axes_of_one,
    numbers.of_lengths,
    results.of_kinds,
    modules.of_more_parameters,
    modules.of_gradients,
    results.of_some_results,
    between.of_batches,
    numbers.of_traces,
    pictures.of_pictures,
    between.one_result_for_another,
    between.of_calls,
    arguments.of_two_changes,
    numbers.of_other_shapes,
)


def relate(evidence, exercise, part=""):
    """One sentence on what shows, and one on an argument that is overwritten; empty where there is neither.

    Parameters
    ----------
    evidence : autograder.judging.diagnosis.Evidence
    exercise : autograder.chapters.chapter.Exercise
    part : str
        What the exercise calls the result in which the first difference is.
    """
    if evidence.shown not in evidence.calls:
        return ""
    parameters = parameters_of(exercise.stub, exercise.name, evidence.shown)
    with np.errstate(all="ignore"):
        told = (_told(relation, evidence, exercise, parameters, part) for relation in _RELATIONS)
        if between.only_changes(*between.shown_pair(evidence)):
            told = ()
        return " ".join(filter(None, (next(filter(None, told), ""), _changed(evidence.shown, parameters))))


def _changed(shown, parameters):
    """Which argument is altered on the way: what is read of it afterwards is no longer what came in."""
    names = [parameters[at] for at in shown.changed if at < len(parameters)]
    return f"It changes {names[0]} while it works." if names else ""


def _told(relation, evidence, *known):
    """What a relation says; nothing of a result so odd that it cannot be asked: no verdict ends there."""
    evidence.budget.check()
    try:
        return relation(evidence, *known)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return ""


def parameters_of(source, name, call):
    """Names of the arguments of the function that a call is of, or of the method."""
    found = definition_in(ast.parse(source), name)
    if isinstance(found, ast.ClassDef):
        method = "__init__" if call.of is None else call.method or "forward"
        found = definition_in(found, method)
        return [each.arg for each in found.args.args[1:]] if found else []
    return [each.arg for each in (*found.args.posonlyargs, *found.args.args)]
