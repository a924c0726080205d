"""Mistakes seen in answers to calculate_attention_vector."""

import numpy as np


def summed_over_hidden_units(applied_attention):
    """The hidden units are added up here, and one number a time step is left: add up the time steps.

    Time runs along the columns, which is axis 1.
    """
    return np.asarray(applied_attention, dtype=float).sum(axis=0)


def mean_instead_of_sum(applied_attention):
    """This is the mean, but the weights already sum to 1: the sum is the average."""
    return np.asarray(applied_attention, dtype=float).mean(axis=1)


def everything_summed(applied_attention):
    """Everything was added up into one number: the context vector has one number for each hidden unit."""
    return float(np.sum(applied_attention))


def not_returned(applied_attention):
    """The context vector may have been computed, but the function does not hand it back: it needs a `return`."""


def an_axis_is_kept(applied_attention):
    """The numbers are right, but an axis of length 1 is left over: the result is `(h,)`, without `keepdims`."""
    return np.asarray(applied_attention, dtype=float).sum(axis=1, keepdims=True)


def largest_instead_of_sum(applied_attention):
    """Only the largest number of each hidden unit is kept: add up all time steps."""
    return np.asarray(applied_attention, dtype=float).max(axis=1)


def four_written_as_a_number(applied_attention):
    """Four time steps are written into the code, as many as the example has: sum along the axis instead."""
    applied = np.asarray(applied_attention, dtype=float)
    return applied[:, 0] + applied[:, 1] + applied[:, 2] + applied[:, 3]


def running_sum(applied_attention):
    """This is the running sum, one column for every time step: only the total is asked for."""
    return np.cumsum(np.asarray(applied_attention, dtype=float), axis=1)


def changes_its_input(applied_attention):
    """The sum is right, but `+=` wrote it into the first column of what was handed in: start from a new array.

    A column of an array is a view of it, not a copy.
    """
    applied = np.asarray(applied_attention)
    if applied.dtype.kind != "f":
        applied = applied.astype(float)
    context = applied[:, 0]
    for step in applied.T[1:]:
        context += step
    return context
