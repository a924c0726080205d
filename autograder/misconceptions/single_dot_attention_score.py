"""Mistakes seen in answers to single_dot_attention_score."""

outer_product = {
    "float(np.dot(np.asarray(dec_hidden_state, dtype=float), np.asarray(enc_hidden_state, dtype=float)))": """
        np.outer(dec_hidden_state, enc_hidden_state)
    """
}
"""This is the outer product, every number times every other one: a score is one number.

Multiply only the pairs that stand in the same place, and add up.
"""

not_added_up = {
    "float(np.dot(np.asarray(dec_hidden_state, dtype=float), np.asarray(enc_hidden_state, dtype=float)))": """
        np.asarray(dec_hidden_state) * np.asarray(enc_hidden_state)
    """
}
"""The products are all there, but nothing adds them up: `*` multiplies element by element and stops.

A dot product multiplies and adds.
"""

lists_multiplied = {
    "float(np.dot(np.asarray(dec_hidden_state, dtype=float), np.asarray(enc_hidden_state, dtype=float)))": """
        dec_hidden_state * enc_hidden_state
    """
}
"""Two lists cannot be multiplied with `*`, and of two arrays nothing adds the products up.

NumPy's own functions take lists as well as arrays.
"""

not_returned = {"return float": "float"}

three_written_as_a_number = {
    "float(np.dot(np.asarray(dec_hidden_state, dtype=float), np.asarray(enc_hidden_state, dtype=float)))": """
        float(sum(dec_hidden_state[i] * enc_hidden_state[i] for i in range(3)))
    """
}
"""The size 3 of the example is written into the code; other vectors have another size.

Read the size from the vectors, or use an operation that needs none.
"""

first_three_only = {
    "float(np.dot(np.asarray(dec_hidden_state, dtype=float), np.asarray(enc_hidden_state, dtype=float)))": """
        float(np.dot(dec_hidden_state[:3], enc_hidden_state[:3]))
    """
}
"""Only the first three numbers count in this score; longer vectors lose the rest.

The size 3 comes from the example: read it from the vectors.
"""

cosine_similarity = {
    "return float(np.dot(np.asarray(dec_hidden_state, dtype=float), np.asarray(enc_hidden_state, dtype=float)))": """
        norms = np.linalg.norm(dec_hidden_state) * np.linalg.norm(enc_hidden_state)
        return float(np.dot(dec_hidden_state, enc_hidden_state) / norms)
    """
}
"""This divides by the lengths of the vectors, which is the cosine of their angle, not the dot product.

Leave the lengths in: a strong state may give a strong score.
"""

mean_instead_of_sum = {
    "float(np.dot(np.asarray(dec_hidden_state, dtype=float), np.asarray(enc_hidden_state, dtype=float)))": """
        float(np.mean(np.multiply(dec_hidden_state, enc_hidden_state)))
    """
}
"""The products are averaged here: a dot product adds them up and does not divide by their number."""

product_of_the_sums = {
    "float(np.dot(np.asarray(dec_hidden_state, dtype=float), np.asarray(enc_hidden_state, dtype=float)))": """
        float(np.sum(dec_hidden_state) * np.sum(enc_hidden_state))
    """
}
"""Each vector is added up before the two sums are multiplied: multiply in pairs first, then add up."""

changes_its_input = {
    "return float(np.dot(np.asarray(dec_hidden_state, dtype=float), np.asarray(enc_hidden_state, dtype=float)))": """
        state = np.asarray(dec_hidden_state)
        if state.dtype.kind != "f":
            state = state.astype(float)
        state *= enc_hidden_state
        return float(state.sum())
    """
}
"""The score is right, but `*=` overwrote the decoder state that was handed in: the caller still needs it.

Put the products into an array of their own.
"""
