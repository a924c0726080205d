"""Mistakes seen in answers to rank_by_similarity."""

dot_products = {" / (sentences.norm(dim=-1) * query.norm())": ""}
"""The sentences are sorted by dot products, in which long vectors win: divide by the lengths of both vectors."""

only_the_sentences_lengths = {"(sentences.norm(dim=-1) * query.norm())": "sentences.norm(dim=-1)"}
"""The order is right, but the similarities are no cosines: divide by the length of the query as well."""

only_the_querys_length = {"(sentences.norm(dim=-1) * query.norm())": "query.norm()"}
"""Dividing by the query's length changes no order: each sentence has to be divided by its own length, too."""

one_length_for_all = {"dim=-1": ""}
"""All sentences are divided by one length, that of the whole matrix: take one length a row, with `dim=-1`."""

squares_of_the_lengths = {
    "(sentences.norm(dim=-1) * query.norm())": "(sentences.square().sum(dim=-1) * query.square().sum())"
}
"""The divisor is the squares of the lengths: a length is the root of the sum of squares."""

lengths_as_sums = {"(sentences.norm(dim=-1) * query.norm())": "(sentences.abs().sum(dim=-1) * query.abs().sum())"}
"""The divisor is sums of absolute values: the length of a vector is the root of the sum of its squares."""

lengths_of_columns = {
    "sentences @ query / (sentences.norm(dim=-1) * query.norm())": """
        (sentences / sentences.norm(dim=0)) @ query / query.norm()
    """
}
"""The lengths are those of the columns: a sentence is a row, so sum its squares along the last axis."""

least_similar_first = {"descending=True": ""}
"""The order begins with the least similar sentence: `argsort` goes from small to large unless told otherwise."""

ranks_instead_of_the_order = {"return order,": "return order.argsort(),"}
"""These are ranks, the place of each sentence: wanted are the sentences' numbers, the best one's first.

Sorting an order once more, as in `argsort().argsort()`, gives ranks.
"""

similarities_not_sorted = {"cosines[order]": "cosines"}
"""The similarities are still in the sentences' order: they belong in the order that you return with them."""

opposites_taken_for_similar = {
    "cosines = sentences @ query / (sentences.norm(dim=-1) * query.norm())": """
        cosines = (sentences @ query / (sentences.norm(dim=-1) * query.norm())).abs()
    """
}
"""The sign is lost, so that opposite sentences count as similar: a cosine below 0 belongs at the end."""

sorted_by_distance = {"cosines.argsort(descending=True)": "(sentences - query).norm(dim=-1).argsort()"}
"""The order is that of distances, to which lengths matter: similar is what has a similar direction."""

distances = {
    "cosines = sentences @ query / (sentences.norm(dim=-1) * query.norm())": """
        distances = (sentences - query).norm(dim=-1)
    """,
    "cosines.argsort(descending=True)": "distances.argsort()",
    "cosines[order]": "distances[order]",
}
"""These are distances, to which the lengths matter: similar is what has a similar direction."""

cosine_distances = {"cosines[order]": "1 - cosines[order]"}
"""The order is right, but 1 - cosine is a distance, small for what is similar: return the cosines."""

sorted_by_dot_products = {"cosines.argsort(": "(sentences @ query).argsort("}
"""The similarities are cosines, but the order is that of the dot products: sort by the cosines."""

dot_products_in_the_right_order = {"cosines[order]": "(sentences @ query)[order]"}
"""The order is that of the cosines, but what is returned with it is dot products: return the cosines."""

changes_its_inputs = {
    "cosines = sentences @ query / (sentences.norm(dim=-1) * query.norm())": """
        sentences /= sentences.norm(dim=-1, keepdim=True)
        query /= query.norm()
        cosines = sentences @ query
    """
}
"""The vectors are divided by their lengths in place, for whoever uses them next too: work on copies."""

cosines_made_weights = {"order = cosines": "cosines = torch.softmax(cosines, dim=0)\norder = cosines"}
"""The cosines went through softmax, as scores do: here they are the result themselves."""

angles = {"cosines[order]": "cosines[order].clamp(-1, 1).acos()"}
"""These are angles: similar means a large cosine, which is a small angle, and the cosines are asked for."""

best_only = {"return order, cosines[order]": "return order[0], cosines[order[0]]"}
"""Only the best sentence comes back: return all of them, sorted."""

similarities_first = {"order, cosines[order]": "cosines[order], order"}
"""The two results are in the wrong order: first the numbers of the sentences, then their cosines."""

order_not_returned = {"return order, cosines[order]": "return cosines[order]"}
"""Only the similarities came back: return the order as well, as `order, similarities`."""

not_returned = {"return order, cosines[order]": "order, cosines[order]"}
