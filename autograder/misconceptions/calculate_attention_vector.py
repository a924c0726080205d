"""Mistakes seen in answers to calculate_attention_vector."""

summed_over_hidden_units = {"axis=1": "axis=0"}
"""The hidden units are added up, and one number for each time step is left. With as many time steps as hidden units the
shape looks right.

The input is `(h, t)`. How long should the context be: `h` or `t`?

The time steps should be added up, so that one number for each hidden unit is left.
"""

mean_instead_of_sum = {".sum(": ".mean("}
"""The sum is divided by the number of time steps, so the context is too small. Its direction is right.

Which weights would four equal annotations have? Should their average be as large as each of them?

The columns should be added up and not divided: the weights in them already sum to 1.
"""

everything_summed = {"np.asarray(applied_attention, dtype=float).sum(axis=1)": "float(np.sum(applied_attention))"}
"""Everything is added up into a single number.

How many hidden units has an annotation, and how many numbers came back?

The context should have one number for each hidden unit.
"""

not_returned = {"return np": "np"}

an_axis_is_kept = {"axis=1": "axis=1, keepdims=True"}
"""The numbers are right, but there is an axis of length 1 too many.

Print the shape of your result beside that of the example.

The result should have the shape `(h,)`.
"""

largest_instead_of_sum = {".sum(": ".max("}
"""Of each hidden unit only the largest number is kept. Where one weight is near 1 and no number is negative, the sum is
nearly the same.

Try the row `[2, 3]`. What should become of it?

Each row should be added up: all time steps count.
"""

four_written_as_a_number = {
    "return np.asarray(applied_attention, dtype=float).sum(axis=1)": """
        applied = np.asarray(applied_attention, dtype=float)
        return applied[:, 0] + applied[:, 1] + applied[:, 2] + applied[:, 3]
    """
}
"""Four columns are added up, as many as the example has. Longer sentences lose words, and shorter ones raise an error.

Call it with two columns, and with six.

All columns should be added up, however many there are.
"""

running_sum = {".sum(": ".cumsum("}
"""The sums are running ones: a column for every time step comes back. The last column is the right one.

Compare the shape of your result with that of the example.

Only the total should come back, one number for each hidden unit.
"""

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
"""The sum is right, but after the call the array that was handed in holds other numbers. A column of an array is a view
of it, not a copy.

Print the array before and after the call. Use an array of floats, because a list hides it.

The call should leave its arguments as they are.
"""
