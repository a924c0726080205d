"""Mistakes seen in answers to shift_right."""

import torch


def not_shifted(targets, start):
    """The decoder reads the very words that it is to write, so it learns to copy: word t has to be read at place t + 1.

    What does the first row of the table above show under "la"?
    """
    return targets.clone()


def shifted_to_the_left(targets, start):
    """The words moved to the left, so that the decoder reads what it has still to write: they move to the right."""
    return torch.cat([targets[..., 1:], torch.full_like(targets[..., :1], start)], dim=-1)


def turned_round(targets, start):
    """The last word came round to the front: nothing is written before the first word, so the start word stands there.

    `torch.roll` moves everything along and puts in front what falls off. Which column is still wrong?
    """
    return torch.roll(targets, 1, dims=-1)


def first_word_replaced(targets, start):
    """The first word was overwritten with the start word, and all others stayed: they have to move one place on."""
    result = targets.clone()
    result[..., 0] = start
    return result


def changes_the_targets(targets, start):
    """The targets themselves are overwritten, and they are still needed for the loss: make a new tensor."""
    targets[..., 1:] = targets[..., :-1].clone()
    targets[..., 0] = start
    return targets


def one_word_too_many(targets, start):
    """The start word came in, and the last word stayed: nothing is to be written after it, so it is left out."""
    return torch.cat([torch.full_like(targets[..., :1], start), targets], dim=-1)


def start_word_left_out(targets, start):
    """The last word is gone, but no start word came in: before the first word the decoder reads it."""
    return targets[..., :-1]


def sentences_shifted(targets, start):
    """Whole sentences moved down by one, not the words in them: the words are along the last axis."""
    if targets.ndim == 1:
        return torch.cat([torch.full_like(targets[:1], start), targets[:-1]])
    return torch.cat([torch.full_like(targets[:1], start), targets[:-1]], dim=0)


def last_word_replaced(targets, start):
    """The start word stands at the end, and nothing has moved: it stands before the first word."""
    return torch.cat([targets[..., :-1], torch.full_like(targets[..., :1], start)], dim=-1)


def copied_from_what_was_copied(targets, start):
    """Each word is copied from its neighbour after that was overwritten, so that the first word is everywhere.

    Copy from `targets`, or begin at the end.
    """
    result = targets.clone()
    for t in range(1, result.shape[-1]):
        result[..., t] = result[..., t - 1]
    result[..., 0] = start
    return result


def batches_of_one_axis_only(targets, start):
    """Axes are counted from the front, which works for rows of sentences and for nothing else: count from the end."""
    first = torch.full((targets.shape[0], 1), start)
    return torch.cat([first, targets[:, :-1]], dim=1)


def zero_for_the_start_word(targets, start):
    """The start word is 0 here, whatever it should be, and 0 is a word of the language: use `start`."""
    return torch.cat([torch.zeros_like(targets[..., :1]), targets[..., :-1]], dim=-1)


def not_returned(targets, start):
    """The input of the decoder may have been made, but it is not handed back: `shift_right` needs a `return`."""
    return None
