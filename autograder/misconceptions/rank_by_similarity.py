"""Mistakes seen in answers to rank_by_similarity."""

import torch


def _cosines(query, sentences):
    return sentences @ query / (sentences.norm(dim=-1) * query.norm())


def _ranked(numbers):
    order = numbers.argsort(descending=True)
    return order, numbers[order]


def dot_products(query, sentences):
    """The sentences are sorted by dot products, in which long vectors win: divide by the lengths of both vectors."""
    return _ranked(sentences @ query)


def only_the_sentences_lengths(query, sentences):
    """The order is right, but the similarities are no cosines: divide by the length of the query as well."""
    return _ranked(sentences @ query / sentences.norm(dim=-1))


def only_the_querys_length(query, sentences):
    """Dividing by the query's length changes no order: each sentence has to be divided by its own length, too."""
    return _ranked(sentences @ query / query.norm())


def one_length_for_all(query, sentences):
    """All sentences are divided by one length, that of the whole matrix: take one length a row, with `dim=-1`."""
    return _ranked(sentences @ query / (sentences.norm() * query.norm()))


def squares_of_the_lengths(query, sentences):
    """The divisor is the squares of the lengths: a length is the root of the sum of squares."""
    return _ranked(sentences @ query / (sentences.square().sum(dim=-1) * query.square().sum()))


def lengths_as_sums(query, sentences):
    """The divisor is sums of absolute values: the length of a vector is the root of the sum of its squares."""
    return _ranked(sentences @ query / (sentences.abs().sum(dim=-1) * query.abs().sum()))


def lengths_of_columns(query, sentences):
    """The lengths are those of the columns: a sentence is a row, so sum its squares along the last axis."""
    return _ranked((sentences / sentences.norm(dim=0)) @ query / query.norm())


def least_similar_first(query, sentences):
    """The order begins with the least similar sentence: `argsort` goes from small to large unless told otherwise."""
    cosines = _cosines(query, sentences)
    order = cosines.argsort()
    return order, cosines[order]


def ranks_instead_of_the_order(query, sentences):
    """These are ranks, the place of each sentence: wanted are the sentences' numbers, the best one's first.

    Sorting an order once more, as in `argsort().argsort()`, gives ranks.
    """
    order, similarities = _ranked(_cosines(query, sentences))
    return order.argsort(), similarities


def similarities_not_sorted(query, sentences):
    """The similarities are still in the sentences' order: they belong in the order that you return with them."""
    cosines = _cosines(query, sentences)
    return cosines.argsort(descending=True), cosines


def opposites_taken_for_similar(query, sentences):
    """The sign is lost, so that opposite sentences count as similar: a cosine below 0 belongs at the end."""
    return _ranked(_cosines(query, sentences).abs())


def sorted_by_distance(query, sentences):
    """The order is that of distances, to which lengths matter: similar is what has a similar direction."""
    order = (sentences - query).norm(dim=-1).argsort()
    return order, _cosines(query, sentences)[order]


def distances(query, sentences):
    """These are distances, to which the lengths matter: similar is what has a similar direction."""
    order = (sentences - query).norm(dim=-1).argsort()
    return order, (sentences - query).norm(dim=-1)[order]


def cosine_distances(query, sentences):
    """The order is right, but 1 - cosine is a distance, small for what is similar: return the cosines."""
    order, cosines = _ranked(_cosines(query, sentences))
    return order, 1 - cosines


def sorted_by_dot_products(query, sentences):
    """The similarities are cosines, but the order is that of the dot products: sort by the cosines."""
    order = (sentences @ query).argsort(descending=True)
    return order, _cosines(query, sentences)[order]


def dot_products_in_the_right_order(query, sentences):
    """The order is that of the cosines, but what is returned with it is dot products: return the cosines."""
    order, _ = _ranked(_cosines(query, sentences))
    return order, (sentences @ query)[order]


def changes_its_inputs(query, sentences):
    """The vectors are divided by their lengths in place, for whoever uses them next too: work on copies."""
    sentences /= sentences.norm(dim=-1, keepdim=True)
    query /= query.norm()
    return _ranked(sentences @ query)


def cosines_made_weights(query, sentences):
    """The cosines went through softmax, as scores do: here they are the result themselves."""
    return _ranked(torch.softmax(_cosines(query, sentences), dim=0))


def angles(query, sentences):
    """These are angles: similar means a large cosine, which is a small angle, and the cosines are asked for."""
    order, cosines = _ranked(_cosines(query, sentences))
    return order, cosines.clamp(-1, 1).acos()


def best_only(query, sentences):
    """Only the best sentence comes back: return all of them, sorted."""
    cosines = _cosines(query, sentences)
    return cosines.argmax(), cosines.max()


def similarities_first(query, sentences):
    """The two results are in the wrong order: first the numbers of the sentences, then their cosines."""
    return _ranked(_cosines(query, sentences))[::-1]


def order_not_returned(query, sentences):
    """Only the similarities came back: return the order as well, as `order, similarities`."""
    return _ranked(_cosines(query, sentences))[1]


def not_returned(query, sentences):
    """The order may have been found, but the function does not hand it back: it needs a `return`."""
    _ranked(_cosines(query, sentences))
