"""Mistakes seen in answers to calculate_attention_vector."""

summed_over_hidden_units = {"axis=1": "axis=0"}
"""The hidden units are added up here, and one number a time step is left: add up the time steps.

Time runs along the columns, which is axis 1.
"""

mean_instead_of_sum = {".sum(": ".mean("}
"""This is the mean, but the weights already sum to 1: the sum is the average."""

everything_summed = {"np.asarray(applied_attention, dtype=float).sum(axis=1)": "float(np.sum(applied_attention))"}
"""Everything was added up into one number: the context vector has one number for each hidden unit."""

not_returned = {"return np": "np"}

an_axis_is_kept = {"axis=1": "axis=1, keepdims=True"}
"""The numbers are right, but an axis of length 1 is left over: the result is `(h,)`, without `keepdims`."""

largest_instead_of_sum = {".sum(": ".max("}
"""Only the largest number of each hidden unit is kept: add up all time steps."""

four_written_as_a_number = {
    "return np.asarray(applied_attention, dtype=float).sum(axis=1)": """
        applied = np.asarray(applied_attention, dtype=float)
        return applied[:, 0] + applied[:, 1] + applied[:, 2] + applied[:, 3]
    """
}
"""Four time steps are written into the code, as many as the example has: sum along the axis instead."""

running_sum = {".sum(": ".cumsum("}
"""This is the running sum, one column for every time step: only the total is asked for."""

changes_its_input = {
    "return np.asarray(applied_attention, dtype=float).sum(axis=1)": """
        applied = np.asarray(applied_attention)
        if applied.dtype.kind != "f":
            applied = applied.astype(float)
        context = applied[:, 0]
        for step in applied.T[1:]:
            context += step
        return context
    """
}
"""The sum is right, but `+=` wrote it into the first column of what was handed in: start from a new array.

A column of an array is a view of it, not a copy.
"""
