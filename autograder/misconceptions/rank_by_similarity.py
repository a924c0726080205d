"""Mistakes seen in answers to rank_by_similarity."""

dot_products = {" / (sentences.norm(dim=-1) * query.norm())": ""}
"""The sentences are sorted by dot products, in which long vectors win. Where all are equally long, the order is right.

Make one sentence ten times as long. Should it move up the list, and does it?

The dot products should be divided by the lengths of both vectors.
"""

only_the_sentences_lengths = {"(sentences.norm(dim=-1) * query.norm())": "sentences.norm(dim=-1)"}
"""The order is right, but the similarities are no cosines: they grow with the length of the query.

Double the query. Should the similarities change?

The dot products should be divided by the length of the query as well.
"""

only_the_querys_length = {"(sentences.norm(dim=-1) * query.norm())": "query.norm()"}
"""The dot products are divided by the query's length only, so long sentences still win.

Make one sentence ten times as long. Should it move up the list, and does it?

Each dot product should be divided by the length of its own sentence, too.
"""

one_length_for_all = {"dim=-1": ""}
"""All sentences are divided by one length, that of the whole table. With a single sentence it is right.

Make one sentence ten times as long. Should the similarity of another one change?

Each sentence should be divided by its own length.
"""

squares_of_the_lengths = {
    "(sentences.norm(dim=-1) * query.norm())": "(sentences.square().sum(dim=-1) * query.square().sum())"
}
"""The dot products are divided by the squares of the lengths. For vectors of length 1 it looks right.

What should the similarity of a vector with itself be? Try `[3, 4]`.

The divisor should be the lengths, the roots of the sums of squares.
"""

lengths_as_sums = {"(sentences.norm(dim=-1) * query.norm())": "(sentences.abs().sum(dim=-1) * query.abs().sum())"}
"""The lengths are sums of absolute values. For vectors along an axis that is right.

What should the similarity of a vector with itself be? Try `[3, 4]`.

The length of a vector should be the root of the sum of its squares.
"""

lengths_of_columns = {
    "sentences @ query / (sentences.norm(dim=-1) * query.norm())": """
        (sentences / sentences.norm(dim=0)) @ query / query.norm()
    """
}
"""The lengths are those of the columns, not of the sentences.

Make one sentence ten times as long. Should the similarity of another one change?

Each sentence is a row, and should be divided by its own length.
"""

least_similar_first = {"descending=True": ""}
"""The order begins with the least similar sentence, as `argsort` sorts from small to large.

Look at the similarities that come back: which is the first?

The most similar sentence should come first.
"""

ranks_instead_of_the_order = {"return order,": "return order.argsort(),"}
"""These are ranks, the place of each sentence in the list. In some lists both are the same.

Which sentence should the first number of `order` name?

The numbers of the sentences should come back, the best one's first.
"""

similarities_not_sorted = {"cosines[order]": "cosines"}
"""The similarities are still in the order of the sentences. The first result is right.

Do the similarities fall from the first to the last?

The similarities should come in the order that comes back with them.
"""

opposites_taken_for_similar = {
    "cosines = sentences @ query / (sentences.norm(dim=-1) * query.norm())": """
        cosines = (sentences @ query / (sentences.norm(dim=-1) * query.norm())).abs()
    """
}
"""The sign is lost, so opposite sentences count as similar. Where all cosines are above 0, nothing shows.

What is the similarity of a vector and its opposite?

A cosine below 0 should stand at the end of the list.
"""

sorted_by_distance = {"cosines.argsort(descending=True)": "(sentences - query).norm(dim=-1).argsort()"}
"""The similarities are cosines, but the order is that of distances, to which lengths matter.

Do the similarities fall from the first to the last? Make a sentence ten times as long, and look again.

The order should be that of the cosines.
"""

distances = {
    "cosines = sentences @ query / (sentences.norm(dim=-1) * query.norm())": """
        distances = (sentences - query).norm(dim=-1)
    """,
    "cosines.argsort(descending=True)": "distances.argsort()",
    "cosines[order]": "distances[order]",
}
"""These are distances, to which the lengths of the vectors matter.

Make a sentence ten times as long. Should it become less similar?

Cosines should come back: similar is what has a similar direction.
"""

cosine_distances = {"cosines[order]": "1 - cosines[order]"}
"""The order is right, but what comes back with it is 1 - cosine, which is small for what is similar.

What should the similarity of a vector with itself be?

The cosines themselves should come back.
"""

sorted_by_dot_products = {"cosines.argsort(": "(sentences @ query).argsort("}
"""The similarities are cosines, but the order is that of the dot products, in which long vectors win.

Do the similarities fall from the first to the last?

The order should be that of the cosines.
"""

dot_products_in_the_right_order = {"cosines[order]": "(sentences @ query)[order]"}
"""The order is right, but what comes back with it are dot products.

What should the similarity of a vector with itself be?

The cosines should come back.
"""

changes_its_inputs = {
    "cosines = sentences @ query / (sentences.norm(dim=-1) * query.norm())": """
        sentences /= sentences.norm(dim=-1, keepdim=True)
        query /= query.norm()
        cosines = sentences @ query
    """
}
"""The result is right, but after the call both arguments are no longer what they were, as when they are divided in
place.

Print the query and the sentences before and after the call.

The call should leave its arguments as they are.
"""

changes_the_sentences = {
    "cosines = sentences @ query / (sentences.norm(dim=-1) * query.norm())": """
        sentences /= sentences.norm(dim=-1, keepdim=True)
        cosines = sentences @ query / query.norm()
    """
}
"""The result is right, but after the call the sentences are no longer what they were, as when they are divided in
place.

Print the sentences before and after the call.

The call should leave its arguments as they are.
"""

changes_the_query = {
    "cosines = sentences @ query / (sentences.norm(dim=-1) * query.norm())": """
        query /= query.norm()
        cosines = sentences @ query / sentences.norm(dim=-1)
    """
}
"""The result is right, but after the call the query is no longer what it was, as when it is divided in place.

Print the query before and after the call.

The call should leave its arguments as they are.
"""

cosines_made_weights = {"order = cosines": "cosines = torch.softmax(cosines, dim=0)\norder = cosines"}
"""The cosines have gone through softmax, as scores do: they sum to 1. The order is right.

What should the similarity of a vector with itself be?

The cosines themselves should come back.
"""

angles = {"cosines[order]": "cosines[order].clamp(-1, 1).acos()"}
"""The order is right, but what comes back with it are angles, which are small for what is similar.

What should the similarity of a vector with itself be?

The cosines should come back.
"""

best_only = {"return order, cosines[order]": "return order[0], cosines[order[0]]"}
"""Only the best sentence comes back.

How many numbers should `order` have for four sentences?

All sentences should come back, sorted.
"""

similarities_first = {"order, cosines[order]": "cosines[order], order"}
"""The two results come in the opposite order, first the cosines and then the numbers of the sentences.

Write `order, similarities = ...` with a call of it, and print both.

The order should come first, the similarities second.
"""

order_not_returned = {"return order, cosines[order]": "return cosines[order]"}
"""Only the similarities come back. They are right; whose they are, nobody can say.

How many results does the docstring name?

The order and the similarities should come back.
"""

not_returned = {"return order, cosines[order]": "order, cosines[order]"}
