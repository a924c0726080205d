"""Mistakes seen in answers to shift_right."""

not_shifted = {"torch.cat([first, targets[..., :-1]], dim=-1)": "targets.clone()"}
"""The decoder reads the very words that it is to write, so it learns to copy: word t has to be read at place t + 1.

What does the first row of the table above show under "la"?
"""

shifted_to_the_left = {"[first, targets[..., :-1]]": "[targets[..., 1:], first]"}
"""The words moved to the left, so that the decoder reads what it has still to write: they move to the right."""

turned_round = {"torch.cat([first, targets[..., :-1]], dim=-1)": "torch.roll(targets, 1, dims=-1)"}
"""The last word came round to the front: nothing is written before the first word, so the start word stands there.

`torch.roll` moves everything along and puts in front what falls off. Which column is still wrong?
"""

first_word_replaced = {"targets[..., :-1]": "targets[..., 1:]"}
"""The first word was overwritten with the start word, and all others stayed: they have to move one place on."""

changes_the_targets = {
    "first = torch.full_like(targets[..., :1], start)\nreturn torch.cat([first, targets[..., :-1]], dim=-1)": """
        targets[..., 1:] = targets[..., :-1].clone()
        targets[..., 0] = start
        return targets
    """
}
"""The targets themselves are overwritten, and they are still needed for the loss: make a new tensor."""

one_word_too_many = {"targets[..., :-1]": "targets"}
"""The start word came in, and the last word stayed: nothing is to be written after it, so it is left out."""

start_word_left_out = {"torch.cat([first, targets[..., :-1]], dim=-1)": "targets[..., :-1]"}
"""The last word is gone, but no start word came in: before the first word the decoder reads it."""

sentences_shifted = {
    "targets[..., :1], start": "targets[:1], start",
    "torch.cat([first, targets[..., :-1]], dim=-1)": "torch.cat([first, targets[:-1]])",
}
"""Whole sentences moved down by one, not the words in them: the words are along the last axis."""

last_word_replaced = {"[first, targets[..., :-1]]": "[targets[..., :-1], first]"}
"""The start word stands at the end, and nothing has moved: it stands before the first word."""


def copied_from_what_was_copied(targets, start):
    """Each word is copied from its neighbour after that was overwritten, so that the first word is everywhere.

    Copy from `targets`, or begin at the end.
    """
    result = targets.clone()
    for t in range(1, result.shape[-1]):
        result[..., t] = result[..., t - 1]
    result[..., 0] = start
    return result


batches_of_one_axis_only = {
    "torch.full_like(targets[..., :1], start)": "torch.full((targets.shape[0], 1), start)",
    "[first, targets[..., :-1]]": "[first, targets[:, :-1]]",
}
"""Axes are counted from the front, which works for rows of sentences and for nothing else: count from the end."""

zero_for_the_start_word = {":1], start": ":1], 0"}
"""The start word is 0 here, whatever it should be, and 0 is a word of the language: use `start`."""

not_returned = {"return torch": "torch"}
